package io.quotashare.server.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The table of the audit log. */
final class AuditTable {
  static final String NAME = "audit";

  static final String INSERT =
      "INSERT INTO audit (sequence, at_millis, principal, action, resource, request_id,"
          + " value_before, value_after, detail, written_revision, checksum)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  static final String SELECT =
      "SELECT sequence, at_millis, principal, action, resource, request_id, value_before,"
          + " value_after, detail, written_revision, checksum FROM audit";

  private AuditTable() {}

  static long checksum(AuditRecord entry) {
    AuditEvent event = entry.event();
    return Checksum.of(
        NAME,
        entry.sequence(),
        entry.atMillis(),
        event.principal(),
        event.action(),
        event.resource(),
        event.requestId(),
        event.before(),
        event.after(),
        event.detail(),
        entry.revision());
  }

  static void bind(PreparedStatement statement, AuditRecord entry, long checksum)
      throws SQLException {
    AuditEvent event = entry.event();
    statement.setLong(1, entry.sequence());
    statement.setLong(2, entry.atMillis());
    statement.setString(3, event.principal());
    statement.setString(4, event.action());
    statement.setString(5, event.resource());
    statement.setString(6, event.requestId());
    statement.setString(7, event.before());
    statement.setString(8, event.after());
    statement.setString(9, event.detail());
    statement.setLong(10, entry.revision());
    statement.setLong(11, checksum);
  }

  /** Reads and verifies the row under the cursor. */
  static AuditRecord read(ResultSet result, String location) throws SQLException {
    String key = String.valueOf(result.getObject(1));
    AuditRecord entry;
    try {
      entry =
          new AuditRecord(
              result.getLong(1),
              result.getLong(10),
              result.getLong(2),
              new AuditEvent(
                  result.getString(3),
                  result.getString(4),
                  result.getString(5),
                  result.getString(6),
                  result.getString(7),
                  result.getString(8),
                  result.getString(9)));
    } catch (IllegalArgumentException | NullPointerException e) {
      throw new DamagedStateException(location, NAME, key, String.valueOf(e.getMessage()), e);
    }
    if (checksum(entry) != result.getLong(11)) {
      throw new DamagedStateException(location, NAME, key, "its checksum does not match", null);
    }
    return entry;
  }
}
