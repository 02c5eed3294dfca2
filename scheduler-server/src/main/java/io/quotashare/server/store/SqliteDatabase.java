package io.quotashare.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteDataSource;

/**
 * The embedded database: {@code quotashare.db} in a folder of its own.
 *
 * <p>Space that removed rows leave is filled by new rows. Where much of the file stays free, it is
 * given back page by page.
 *
 * <p>Write-ahead log with synchronous=FULL: a commit returns after the log was flushed. Readers do
 * not wait for the writer. Other programs may read the file meanwhile; another scheduler is kept
 * out by a lock that is held on {@code quotashare.lock} for as long as this object lives.
 */
final class SqliteDatabase implements SqlDatabase {
  private static final int BUSY_TIMEOUT_MILLIS = 5_000;
  private static final int READERS = 4;
  private static final long READER_WAIT_MILLIS = 2_000;
  private static final int CACHE_KIB = 32 * 1024;

  /** Pages are given back while more than this part of the file is free, in percent. */
  private static final int FREE_PERCENT_MAX = 25;

  /** Free pages that are never given back: about as many as an hour of work fills. */
  private static final int FREE_PAGES_MIN = 1_000;

  /** Pages that one commit gives back at most. */
  private static final int RECLAIMED_PAGES_MAX = 100;

  /** Size to which the log is cut back after a checkpoint. */
  private static final int LOG_LIMIT_BYTES = 64 * 1024 * 1024;

  private final Path file;
  private final Connection lock;
  private final HikariDataSource readers;

  private SqliteDatabase(Path file, Connection lock) {
    this.file = file;
    this.lock = lock;
    this.readers = readerPool(file);
  }

  /**
   * Opens the database of a folder; an empty or missing folder gets a new one.
   *
   * @throws StoreUnavailableException if another scheduler has it open
   * @throws DamagedStateException if it is damaged
   * @throws StoreFailedException if the folder cannot be used, or the schema is not known
   */
  static SqliteDatabase open(Path directory) {
    DataDirectory data = DataDirectory.prepare(directory);
    Connection lock = lock(data);
    SqliteDatabase database = null;
    try {
      Path file = data.file("db");
      boolean existed = isFilled(file);
      if (!existed) {
        prepare(file);
      }
      database = new SqliteDatabase(file, lock);
      if (existed) {
        database.check();
      }
      Schema.migrate(database.location(), source(file));
      return database;
    } catch (RuntimeException e) {
      if (database == null) {
        release(lock);
      } else {
        database.close();
      }
      throw e;
    }
  }

  /** Lets a new file give pages back; that must be said before it holds anything. */
  private static void prepare(Path file) {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + file);
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA auto_vacuum = INCREMENTAL");
      statement.execute("VACUUM");
    } catch (SQLException e) {
      throw SqliteErrors.translate(file.toString(), "make", e);
    }
  }

  private static boolean isFilled(Path file) {
    try {
      return Files.size(file) > 0;
    } catch (IOException e) {
      throw new StoreFailedException("file " + file + " cannot be read: " + e, e);
    }
  }

  /**
   * Takes the lock by an exclusive transaction on a database of its own: unlike a lock that this
   * class would take on a file, it also holds against a second opening in the same process.
   */
  private static Connection lock(DataDirectory data) {
    Path file = data.file("lock");
    Path pid = data.file("pid");
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(0);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + file);
    Connection connection = null;
    try {
      connection = source.getConnection();
      try (Statement statement = connection.createStatement()) {
        statement.execute("BEGIN EXCLUSIVE");
      }
      Files.writeString(pid, Long.toString(ProcessHandle.current().pid()));
      return connection;
    } catch (SQLException e) {
      release(connection);
      if (SqliteErrors.isBusy(e)) {
        throw new StoreUnavailableException(
            StoreUnavailableException.Reason.BUSY,
            "data directory " + file.getParent() + " is in use by another scheduler" + readPid(pid),
            e);
      }
      throw SqliteErrors.translate(file.toString(), "lock", e);
    } catch (IOException e) {
      release(connection);
      throw new StoreFailedException("file " + pid + " cannot be written: " + e, e);
    }
  }

  private static String readPid(Path file) {
    try {
      String pid = Files.readString(file, UTF_8).strip();
      return pid.isEmpty() ? "" : " (process " + pid + ")";
    } catch (IOException e) {
      return "";
    }
  }

  private static void release(@Nullable Connection connection) {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        // Nothing was written through it, and the process's end releases it in any case.
      }
    }
  }

  private static SQLiteConfig config() {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(SynchronousMode.FULL);
    config.setBusyTimeout(BUSY_TIMEOUT_MILLIS);
    config.setJournalSizeLimit(LOG_LIMIT_BYTES);
    config.setCacheSize(-CACHE_KIB);
    config.enforceForeignKeys(true);
    return config;
  }

  private static SQLiteDataSource source(Path file) {
    SQLiteDataSource source = new SQLiteDataSource(config());
    source.setUrl("jdbc:sqlite:" + file);
    return source;
  }

  private static HikariDataSource readerPool(Path file) {
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("store-readers");
    pool.setDataSource(source(file));
    pool.setConnectionInitSql("PRAGMA query_only = ON");
    pool.setMaximumPoolSize(READERS);
    pool.setMinimumIdle(0);
    pool.setConnectionTimeout(READER_WAIT_MILLIS);
    // The file may be unreadable: the first query says so better than the pool.
    pool.setInitializationFailTimeout(-1);
    return new HikariDataSource(pool);
  }

  @Override
  public String location() {
    return file.toString();
  }

  @Override
  public Connection connectWriter() throws SQLException {
    Connection connection = source(file).getConnection();
    try {
      connection.setAutoCommit(false);
    } catch (SQLException e) {
      release(connection);
      throw e;
    }
    return connection;
  }

  @Override
  public Connection connectReader() throws SQLException {
    return readers.getConnection();
  }

  @Override
  public void check() {
    // Not from the pool, which would try again and again before it says what is wrong.
    try (Connection connection = source(file).getConnection();
        Statement statement = connection.createStatement()) {
      try (ResultSet result = statement.executeQuery("PRAGMA integrity_check(1)")) {
        String finding = result.next() ? result.getString(1) : "no result";
        if (!finding.equals("ok")) {
          throw new DamagedStateException(location(), "", "", finding, null);
        }
      }
      try (ResultSet result = statement.executeQuery("PRAGMA foreign_key_check")) {
        if (result.next()) {
          throw new DamagedStateException(
              location(),
              result.getString(1),
              "rowid " + result.getLong(2),
              "refers to a row of " + result.getString(3) + " that is not there",
              null);
        }
      }
    } catch (SQLException e) {
      throw translate("check", e, false);
    }
  }

  @Override
  public long bytes() {
    return sizeOf(file) + sizeOf(file.resolveSibling(file.getFileName() + "-wal"));
  }

  private static long sizeOf(Path path) {
    try {
      return Files.size(path);
    } catch (IOException e) {
      return 0;
    }
  }

  @Override
  public boolean reclaim(Connection writer) throws SQLException {
    try (Statement statement = writer.createStatement()) {
      long free = number(statement, "PRAGMA freelist_count");
      long pages = number(statement, "PRAGMA page_count");
      if (free <= FREE_PAGES_MIN || free * 100 <= pages * FREE_PERCENT_MAX) {
        return false;
      }
      // Each step of this statement gives one page back: unlike execute, this takes all steps.
      statement.executeUpdate("PRAGMA incremental_vacuum(" + RECLAIMED_PAGES_MAX + ")");
      return number(statement, "PRAGMA freelist_count") < free;
    }
  }

  private static long number(Statement statement, String pragma) throws SQLException {
    try (ResultSet result = statement.executeQuery(pragma)) {
      return result.next() ? result.getLong(1) : 0;
    }
  }

  @Override
  public StoreException translate(String doing, SQLException error, boolean committing) {
    // There is no connection to lose here: a commit that failed was not written, or the file must
    // not be trusted any more. So nothing is unknown.
    return SqliteErrors.translate(location(), doing, error);
  }

  @Override
  public void close() {
    readers.close();
    release(lock);
  }
}
