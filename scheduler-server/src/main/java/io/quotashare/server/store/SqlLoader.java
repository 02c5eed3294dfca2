package io.quotashare.server.store;

import io.quotashare.core.Change;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads and verifies all rows, a chunk at a time: memory does not grow with the history, and a
 * reader that stops half-way leaves nothing open. Nobody may write meanwhile.
 */
final class SqlLoader implements Iterator<Change> {
  private static final int CHUNK_ROWS = 1000;

  private final SqlDatabase database;
  private final CommitPoint last;
  private final Digests expected;
  private final StateVerifier verifier;
  private final Iterator<EntityTable<?, ?>> tables = EntityTables.ALL.iterator();
  private final Queue<Change> ready = new ArrayDeque<>();

  private @Nullable EntityTable<?, ?> table;
  private @Nullable RowKey after;
  private Digests.Digest found = Digests.Digest.EMPTY;
  private boolean finished;

  /**
   * @param last what was committed last
   * @param expected digests of the tables
   */
  SqlLoader(SqlDatabase database, CommitPoint last, Digests expected) {
    this.database = database;
    this.last = last;
    this.expected = expected;
    this.verifier = new StateVerifier(database.location());
  }

  @Override
  public boolean hasNext() {
    while (ready.isEmpty() && !finished) {
      advance();
    }
    return !ready.isEmpty();
  }

  @Override
  public Change next() {
    if (!hasNext()) {
      throw new NoSuchElementException("no more rows");
    }
    return ready.remove();
  }

  private void advance() {
    if (table == null) {
      if (!tables.hasNext()) {
        verifier.finish();
        verifyAudit();
        finished = true;
        return;
      }
      table = tables.next();
      after = null;
      found = Digests.Digest.EMPTY;
    }
    if (!readChunk(table)) {
      expected.verify(database.location(), table.name(), found);
      table = null;
    }
  }

  /** Reads the next rows of the table; tells whether more may follow. */
  private <T, P extends Change> boolean readChunk(EntityTable<T, P> from) {
    String sql = after == null ? from.selectFirst() : from.selectAfter();
    int rows = 0;
    try (Connection connection = database.connectReader();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setInt(after == null ? 1 : EntityTable.bindKey(select, after), CHUNK_ROWS);
      try (ResultSet result = select.executeQuery()) {
        while (result.next()) {
          take(from, from.read(result, database.location()));
          rows++;
        }
      }
    } catch (SQLException e) {
      throw database.translate("read table " + from.name(), e, false);
    }
    return rows == CHUNK_ROWS;
  }

  private <T, P extends Change> void take(EntityTable<T, P> from, EntityTable.Stored<T> stored) {
    if (stored.writtenRevision() > last.revision()) {
      throw new DamagedStateException(
          database.location(),
          from.name(),
          stored.key().toString(),
          "was written by revision %s, but the last is %s"
              .formatted(stored.writtenRevision(), last.revision()),
          null);
    }
    verifier.accept(from.entity(), stored.key(), stored.row());
    found = found.plus(stored.checksum());
    after = stored.key();
    ready.add(from.entity().put().apply(stored.row()));
  }

  private void verifyAudit() {
    Digests.Digest audit = Digests.Digest.EMPTY;
    long sequence = 0;
    int rows;
    do {
      rows = 0;
      try (Connection connection = database.connectReader();
          PreparedStatement select =
              connection.prepareStatement(
                  AuditTable.SELECT + " WHERE sequence > ? ORDER BY sequence LIMIT ?")) {
        select.setLong(1, sequence);
        select.setInt(2, CHUNK_ROWS);
        try (ResultSet result = select.executeQuery()) {
          while (result.next()) {
            AuditRecord entry = AuditTable.read(result, database.location());
            checkDense(sequence, entry);
            audit = audit.plus(AuditTable.checksum(entry));
            sequence = entry.sequence();
            rows++;
          }
        }
      } catch (SQLException e) {
        throw database.translate("read table " + AuditTable.NAME, e, false);
      }
    } while (rows == CHUNK_ROWS);
    expected.verify(database.location(), AuditTable.NAME, audit);
  }

  /** The oldest entries are removed in time; from the first that is kept on none may be missing. */
  private void checkDense(long before, AuditRecord entry) {
    if (before != 0 && entry.sequence() != before + 1) {
      throw new DamagedStateException(
          database.location(),
          AuditTable.NAME,
          Long.toString(entry.sequence()),
          "follows entry %s (expected: %s)".formatted(before, entry.sequence() - 1),
          null);
    }
  }
}
