package io.quotashare.server.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Changes a closed database behind the store's back. */
final class SqliteTampering {
  private SqliteTampering() {}

  /** Runs statements on the database of a folder, without its checks of references. */
  static void run(Path directory, String... statements) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("quotashare.db"));
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
      // All of it back into one file, which tests copy and flip.
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
  }
}
