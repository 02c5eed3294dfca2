package io.quotashare.server.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * The audit log as its writer sees it: it is appended to at one end, and what is old enough is
 * removed at the other. The newest entry always stays, since its number says which is the next.
 */
final class AuditLog {
  /** Entries that one commit removes at most, beyond as many as it adds. */
  static final int MAX_REMOVED = 200;

  private static final String SELECT_NEWEST =
      "SELECT sequence FROM audit ORDER BY sequence DESC LIMIT 1";
  private static final String SELECT_OLDEST =
      "SELECT sequence, at_millis, checksum FROM audit ORDER BY sequence LIMIT ?";
  private static final String DELETE = "DELETE FROM audit WHERE sequence <= ?";

  private final StoreLimits limits;
  private boolean known;
  private long newest;
  private long oldestMillis;
  private long rows;

  AuditLog(StoreLimits limits) {
    this.limits = limits;
  }

  /** Forgets what it knows of the table: a transaction failed, or another writer was there. */
  void forget() {
    known = false;
  }

  /** Looks at the table, unless that was done. */
  void find(Statements statements, Digests digests) throws SQLException {
    if (known) {
      return;
    }
    newest = 0;
    try (ResultSet result = statements.get(SELECT_NEWEST).executeQuery()) {
      if (result.next()) {
        newest = result.getLong(1);
      }
    }
    try (ResultSet result = oldest(statements, 1)) {
      oldestMillis = result.next() ? result.getLong(2) : Long.MAX_VALUE;
    }
    rows = digests.of(AuditTable.NAME).rows();
    known = true;
  }

  /** Appends the events of a batch. */
  void append(Statements statements, CommitBatch batch, Digests after) throws SQLException {
    find(statements, after);
    if (batch.audit().isEmpty()) {
      return;
    }
    PreparedStatement insert = statements.get(AuditTable.INSERT);
    for (AuditEvent event : batch.audit()) {
      newest++;
      AuditRecord entry = new AuditRecord(newest, batch.revision(), batch.atMillis(), event);
      long checksum = AuditTable.checksum(entry);
      AuditTable.bind(insert, entry, checksum);
      insert.addBatch();
      after.add(AuditTable.NAME, checksum);
    }
    insert.executeBatch();
    oldestMillis = Math.min(oldestMillis, batch.atMillis());
    rows += batch.audit().size();
  }

  private static ResultSet oldest(Statements statements, int count) throws SQLException {
    PreparedStatement select = statements.get(SELECT_OLDEST);
    select.setInt(1, count);
    return select.executeQuery();
  }

  /** Removes the oldest entries that are due at the time of a batch, and tells how many. */
  int trim(Statements statements, CommitBatch batch, Digests after) throws SQLException {
    find(statements, after);
    long nowMillis = batch.atMillis();
    int most = batch.audit().size() + MAX_REMOVED;
    if (nextRemovalMillis().orElse(Long.MAX_VALUE) > nowMillis) {
      return 0;
    }
    int removed = 0;
    long last = 0;
    try (ResultSet result = oldest(statements, most + 1)) {
      while (result.next()) {
        oldestMillis = result.getLong(2);
        if (removed == most || !isDue(nowMillis)) {
          break;
        }
        last = result.getLong(1);
        after.remove(AuditTable.NAME, result.getLong(3));
        removed++;
        rows--;
      }
    }
    PreparedStatement delete = statements.get(DELETE);
    delete.setLong(1, last);
    delete.executeUpdate();
    return removed;
  }

  private boolean isDue(long nowMillis) {
    return rows > 1
        && (rows > limits.maxAuditEntries()
            || oldestMillis <= nowMillis - limits.auditRetentionMillis());
  }

  /** From when on {@link #trim} removes something; empty if nothing is known to become due. */
  OptionalLong nextRemovalMillis() {
    if (!known || rows <= 1) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        rows > limits.maxAuditEntries() ? 0 : oldestMillis + limits.auditRetentionMillis());
  }
}
