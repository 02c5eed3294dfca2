package io.quotashare.server.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** The one row that says who may write and how far the state is durable. */
final class EpochRow {
  private static final String TABLE = "epoch";
  private static final String SELECT =
      "SELECT epoch, revision, at_millis, checksum FROM epoch WHERE id = 1";
  private static final String INSERT =
      "INSERT INTO epoch (id, epoch, revision, at_millis, checksum) VALUES (1, ?, ?, ?, ?)";
  private static final String UPDATE =
      "UPDATE epoch SET epoch = ?, revision = ?, at_millis = ?, checksum = ?"
          + " WHERE id = 1 AND epoch = ? AND revision = ?";

  private static final String LOCK = "UPDATE epoch SET epoch = epoch WHERE id = 1";

  private EpochRow() {}

  /** Keeps others from changing the row, or anything under it, until the transaction ends. */
  static void lock(Statements statements) throws SQLException {
    statements.get(LOCK).executeUpdate();
  }

  /** Reads and verifies the row; empty if the database is new. */
  static Optional<CommitPoint> read(Statements statements, String location) throws SQLException {
    try (ResultSet result = statements.get(SELECT).executeQuery()) {
      if (!result.next()) {
        return Optional.empty();
      }
      CommitPoint point;
      try {
        point = new CommitPoint(result.getLong(1), result.getLong(2), result.getLong(3));
      } catch (IllegalArgumentException e) {
        throw new DamagedStateException(location, TABLE, "1", String.valueOf(e.getMessage()), e);
      }
      if (checksum(point) != result.getLong(4)) {
        throw new DamagedStateException(location, TABLE, "1", "its checksum does not match", null);
      }
      return Optional.of(point);
    }
  }

  static void insert(Statements statements, CommitPoint point) throws SQLException {
    PreparedStatement insert = statements.get(INSERT);
    bind(insert, point);
    insert.executeUpdate();
  }

  /** Replaces the row if it still holds {@code from}; tells whether it did. */
  static boolean advance(Statements statements, CommitPoint from, CommitPoint to)
      throws SQLException {
    PreparedStatement update = statements.get(UPDATE);
    bind(update, to);
    update.setLong(5, from.epoch());
    update.setLong(6, from.revision());
    return update.executeUpdate() == 1;
  }

  private static void bind(PreparedStatement statement, CommitPoint point) throws SQLException {
    statement.setLong(1, point.epoch());
    statement.setLong(2, point.revision());
    statement.setLong(3, point.atMillis());
    statement.setLong(4, checksum(point));
  }

  private static long checksum(CommitPoint point) {
    return Checksum.of(TABLE, point.epoch(), point.revision(), point.atMillis());
  }
}
