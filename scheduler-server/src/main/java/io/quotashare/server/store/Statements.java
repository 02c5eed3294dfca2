package io.quotashare.server.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** A connection with the statements that were prepared on it. */
final class Statements implements AutoCloseable {
  private final Connection connection;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  Statements(Connection connection) {
    this.connection = connection;
  }

  Connection connection() {
    return connection;
  }

  /** The statement, prepared once; what an earlier use left in its batch is gone. */
  PreparedStatement get(String sql) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    } else {
      statement.clearBatch();
    }
    return statement;
  }

  /** Closes the connection and with it the statements. */
  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
