package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkState;

import io.quotashare.core.Change;
import io.quotashare.server.failpoint.Failpoint;
import io.quotashare.server.failpoint.Failpoints;
import io.quotashare.server.store.EntityTable.SqlRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The one writer of a database: the epoch, the commits and the answers to requests. Its connection
 * and its prepared statements live as long as nothing goes wrong with them.
 */
final class SqlWriter implements AutoCloseable {
  /** Rows whose checksums are remembered, so that replacing them needs no look-up. */
  private static final int MAX_RECENT = 65_536;

  private final SqlDatabase database;
  private final Failpoints failpoints;
  private final AnswerIndex answers;
  private final AuditLog audit;
  private final Map<Place, Long> recent =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, Long> eldest) {
          return size() > MAX_RECENT;
        }
      };

  /** Rows that were removed by table, and rows that are there; read by any thread. */
  private final Map<String, Long> removed = new ConcurrentHashMap<>();

  private volatile Map<String, Long> rows = Map.of();

  private @Nullable Statements open;
  private @Nullable Digests digests;

  /** Whether the last commit left space that is to be given back; not known at first. */
  private boolean reclaiming = true;

  private @Nullable StoreException failure;
  private boolean closed;

  /** Where a row is. */
  private record Place(String table, RowKey key) {}

  /** What is done inside a transaction. */
  private interface Work<R> {
    R run(Statements statements) throws SQLException;
  }

  /**
   * Rows to write into one table.
   *
   * @param puts rows to insert or replace
   * @param removals keys of rows to delete
   */
  private record TableWrites(Map<RowKey, SqlRow> puts, List<RowKey> removals) {}

  SqlWriter(SqlDatabase database, StoreLimits limits, Failpoints failpoints) {
    this.database = database;
    this.answers = new AnswerIndex(limits);
    this.audit = new AuditLog(limits);
    this.failpoints = failpoints;
  }

  synchronized long takeEpoch() {
    return inTransaction(
        "take the epoch",
        statements -> {
          EpochRow.lock(statements);
          Optional<CommitPoint> present = EpochRow.read(statements, database.location());
          CommitPoint last = present.orElse(CommitPoint.NONE);
          CommitPoint next = new CommitPoint(last.epoch() + 1, last.revision(), last.atMillis());
          Digests found = Digests.read(statements);
          if (present.isEmpty()) {
            refuseOrphans(found);
            EpochRow.insert(statements, next);
          } else {
            checkState(EpochRow.advance(statements, last, next), "epoch row changed meanwhile");
          }
          readAnswers(statements, found);
          digests = found;
          rows = found.rows();
          recent.clear();
          audit.forget();
          audit.find(statements, found);
          return next.epoch();
        });
  }

  private void refuseOrphans(Digests found) {
    for (EntityTable<?, ?> table : EntityTables.ALL) {
      if (found.of(table.name()).rows() != 0) {
        throw new DamagedStateException(
            database.location(), "epoch", "1", "missing, although there is state", null);
      }
    }
  }

  private void readAnswers(Statements statements, Digests expected) throws SQLException {
    answers.clear();
    Digests found = new Digests();
    try (ResultSet result = statements.get(RequestTable.SELECT_ALL).executeQuery()) {
      while (result.next()) {
        RequestTable.Stored stored = RequestTable.read(result, database.location());
        found.add(RequestTable.NAME, stored.checksum());
        answers.add(
            stored.answer().key(), new AnswerIndex.Entry(stored.atMillis(), stored.checksum()));
      }
    }
    expected.verify(database.location(), RequestTable.NAME, found.of(RequestTable.NAME));
  }

  synchronized CommitPoint lastCommit() {
    return inTransaction(
        "read the epoch",
        statements -> EpochRow.read(statements, database.location()).orElse(CommitPoint.NONE));
  }

  /** From when on a commit removes answers or entries of the audit log; empty if none is kept. */
  synchronized OptionalLong nextRemovalMillis() {
    OptionalLong ofAudit = audit.nextRemovalMillis();
    OptionalLong ofAnswers = answers.nextRemovalMillis();
    return ofAudit.isEmpty() || ofAnswers.isEmpty()
        ? (ofAudit.isEmpty() ? ofAnswers : ofAudit)
        : OptionalLong.of(Math.min(ofAudit.getAsLong(), ofAnswers.getAsLong()));
  }

  /** Any thread. */
  StoreStatistics statistics() {
    return new StoreStatistics(database.bytes(), rows, removed);
  }

  /** What the tables hold by count and sum. */
  synchronized Digests digests() {
    return inTransaction("read the digests", Digests::read);
  }

  synchronized Optional<RequestAnswer> answer(RequestKey key) {
    if (!answers.contains(key)) {
      checkUsable();
      return Optional.empty();
    }
    return inTransaction(
        "read an answer",
        statements -> {
          PreparedStatement select = statements.get(RequestTable.SELECT_ONE);
          select.setString(1, key.principal());
          select.setString(2, key.requestId());
          try (ResultSet result = select.executeQuery()) {
            if (!result.next()) {
              throw new DamagedStateException(
                  database.location(),
                  RequestTable.NAME,
                  key.principal() + "/" + key.requestId(),
                  "missing",
                  null);
            }
            return Optional.of(RequestTable.read(result, database.location()).answer());
          }
        });
  }

  synchronized void commit(CommitBatch batch) {
    checkUsable();
    CommitChecks.checkKeys(batch);
    answers.check(batch);
    Map<String, TableWrites> writes = prepare(batch);
    List<RequestKey> forgotten = answers.toForget(batch.atMillis(), batch.answers().size());
    Map<RequestKey, AnswerIndex.Entry> added = new LinkedHashMap<>();
    Map<String, Long> gone = new HashMap<>();
    Digests written =
        inTransaction(
            "commit revision " + batch.revision(),
            statements -> {
              fence(statements, batch);
              Digests before = digests != null ? digests : Digests.read(statements);
              Digests after = before.copy();
              for (EntityTable<?, ?> table : EntityTables.ALL) {
                put(statements, table, writes.get(table.name()), after);
              }
              // What refers to a row goes before it.
              for (EntityTable<?, ?> table : EntityTables.REVERSED) {
                long count = remove(statements, table, writes.get(table.name()), after);
                gone.merge(table.name(), count, Long::sum);
              }
              audit.append(statements, batch, after);
              gone.put(AuditTable.NAME, (long) audit.trim(statements, batch, after));
              forget(statements, forgotten, after);
              gone.put(RequestTable.NAME, (long) forgotten.size());
              remember(statements, batch, after, added);
              if (reclaiming || gone.values().stream().anyMatch(count -> count > 0)) {
                reclaiming = database.reclaim(statements.connection());
              }
              after.write(statements, before);
              failpoints.reach(Failpoint.IN_COMMIT);
              return after;
            });
    digests = written;
    answers.forget(forgotten);
    added.forEach(answers::add);
    gone.forEach((table, count) -> removed.merge(table, count, Long::sum));
    rows = written.rows();
  }

  /** Encodes before the transaction begins: what cannot be written fails early. */
  private static Map<String, TableWrites> prepare(CommitBatch batch) {
    Map<String, TableWrites> writes = new HashMap<>();
    for (Change change : batch.changes()) {
      RowWrite<?> write = Entities.writeOf(change);
      prepare(write, batch.revision(), writes);
    }
    return writes;
  }

  private static <T> void prepare(
      RowWrite<T> write, long revision, Map<String, TableWrites> writes) {
    TableWrites table =
        writes.computeIfAbsent(
            write.entity().table(),
            name -> new TableWrites(new LinkedHashMap<>(), new ArrayList<>()));
    T row = write.row();
    if (row == null) {
      table.removals().add(write.key());
    } else {
      table
          .puts()
          .put(write.key(), EntityTables.of(write.entity()).prepare(write.key(), row, revision));
    }
  }

  private void fence(Statements statements, CommitBatch batch) throws SQLException {
    CommitPoint from = new CommitPoint(batch.epoch(), batch.revision() - 1, 0);
    CommitPoint to = new CommitPoint(batch.epoch(), batch.revision(), batch.atMillis());
    if (!EpochRow.advance(statements, from, to)) {
      CommitPoint last = EpochRow.read(statements, database.location()).orElse(CommitPoint.NONE);
      if (last.epoch() != batch.epoch()) {
        throw new FencedException(batch.epoch(), last.epoch());
      }
      CommitChecks.checkRevision(batch, last.revision());
    }
  }

  private long remove(
      Statements statements, EntityTable<?, ?> table, @Nullable TableWrites rows, Digests after)
      throws SQLException {
    long count = 0;
    for (RowKey key : rows == null ? List.<RowKey>of() : rows.removals()) {
      Long old = checksumOf(statements, table, key);
      if (old != null) {
        after.remove(table.name(), old);
        PreparedStatement delete = statements.get(table.delete());
        EntityTable.bindKey(delete, key);
        delete.executeUpdate();
        recent.remove(new Place(table.name(), key));
        count++;
      }
    }
    return count;
  }

  private void put(
      Statements statements, EntityTable<?, ?> table, @Nullable TableWrites rows, Digests after)
      throws SQLException {
    if (rows == null || rows.puts().isEmpty()) {
      return;
    }
    PreparedStatement upsert = statements.get(table.upsert());
    for (Map.Entry<RowKey, SqlRow> put : rows.puts().entrySet()) {
      Long old = checksumOf(statements, table, put.getKey());
      if (old != null) {
        after.remove(table.name(), old);
      }
      after.add(table.name(), put.getValue().checksum());
      recent.put(new Place(table.name(), put.getKey()), put.getValue().checksum());
      put.getValue().bind(upsert);
      upsert.addBatch();
    }
    upsert.executeBatch();
  }

  /** Checksum of the row that is there; null if there is none. */
  private @Nullable Long checksumOf(Statements statements, EntityTable<?, ?> table, RowKey key)
      throws SQLException {
    Long known = recent.get(new Place(table.name(), key));
    if (known != null) {
      return known;
    }
    PreparedStatement select = statements.get(table.selectChecksum());
    EntityTable.bindKey(select, key);
    try (ResultSet result = select.executeQuery()) {
      return result.next() ? (Long) result.getLong(1) : null;
    }
  }

  private void forget(Statements statements, List<RequestKey> keys, Digests after)
      throws SQLException {
    if (keys.isEmpty()) {
      return;
    }
    PreparedStatement delete = statements.get(RequestTable.DELETE);
    for (RequestKey key : keys) {
      AnswerIndex.Entry entry = answers.get(key);
      checkState(entry != null, "no answer to forget: %s", key);
      delete.setString(1, key.principal());
      delete.setString(2, key.requestId());
      delete.addBatch();
      after.remove(RequestTable.NAME, entry.checksum());
    }
    delete.executeBatch();
  }

  private static void remember(
      Statements statements,
      CommitBatch batch,
      Digests after,
      Map<RequestKey, AnswerIndex.Entry> added)
      throws SQLException {
    if (batch.answers().isEmpty()) {
      return;
    }
    PreparedStatement insert = statements.get(RequestTable.INSERT);
    for (RequestAnswer answer : batch.answers()) {
      long checksum = RequestTable.checksum(answer, batch.atMillis(), batch.revision());
      RequestTable.bind(insert, answer, batch.atMillis(), batch.revision(), checksum);
      insert.addBatch();
      after.add(RequestTable.NAME, checksum);
      added.put(answer.key(), new AnswerIndex.Entry(batch.atMillis(), checksum));
    }
    insert.executeBatch();
  }

  private <R> R inTransaction(String doing, Work<R> work) {
    checkUsable();
    boolean committing = false;
    boolean done = false;
    try {
      Statements statements = connect();
      R result = work.run(statements);
      committing = true;
      statements.connection().commit();
      done = true;
      return result;
    } catch (SQLException e) {
      throw noted(database.translate(doing, e, committing));
    } catch (StoreException e) {
      throw noted(e);
    } finally {
      if (!done) {
        undo();
      }
    }
  }

  private Statements connect() throws SQLException {
    if (open == null) {
      open = new Statements(database.connectWriter());
    }
    return open;
  }

  /** After a failure nothing is assumed about what the database holds. */
  private void undo() {
    recent.clear();
    audit.forget();
    digests = null;
    if (open == null) {
      return;
    }
    try {
      open.connection().rollback();
    } catch (SQLException e) {
      disconnect();
    }
  }

  private void disconnect() {
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        // The connection is given up because it failed; there is nothing left to do with it.
      }
      open = null;
    }
  }

  /** Remembers what ends the use of the store. */
  private StoreException noted(StoreException e) {
    if (e instanceof StoreFailedException || e instanceof DamagedStateException) {
      failure = e;
    }
    return e;
  }

  private void checkUsable() {
    checkState(!closed, "the store is closed");
    if (failure != null) {
      throw new StoreFailedException(
          "the store failed before and must be reopened: " + failure.getMessage(), failure);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    disconnect();
  }
}
