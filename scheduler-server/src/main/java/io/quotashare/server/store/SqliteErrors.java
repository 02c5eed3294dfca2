package io.quotashare.server.store;

import io.quotashare.server.store.StoreUnavailableException.Reason;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What SQLite's result codes mean for the scheduler. */
final class SqliteErrors {
  /** The low byte of a result code is its kind; the rest tells the kind apart further. */
  private static final int KIND_MASK = 0xff;

  private SqliteErrors() {}

  /** Whether somebody else holds a lock. */
  static boolean isBusy(SQLException error) {
    return isKind(error, SQLiteErrorCode.SQLITE_BUSY)
        || isKind(error, SQLiteErrorCode.SQLITE_LOCKED);
  }

  /**
   * The exception for an error.
   *
   * @param location file, for the message
   * @param doing what was tried, for the message
   */
  static StoreException translate(String location, String doing, SQLException error) {
    String message = location + ": cannot " + doing + ": " + error.getMessage();
    if (isKind(error, SQLiteErrorCode.SQLITE_FULL)) {
      return new StoreUnavailableException(Reason.FULL, message, error);
    }
    if (isBusy(error) || error instanceof SQLTransientConnectionException) {
      return new StoreUnavailableException(Reason.BUSY, message, error);
    }
    if (isKind(error, SQLiteErrorCode.SQLITE_CORRUPT)
        || isKind(error, SQLiteErrorCode.SQLITE_NOTADB)) {
      return new DamagedStateException(
          location, "", "", "cannot " + doing + ": " + error.getMessage(), error);
    }
    // Among them every input/output error: after a failed flush the file is not to be trusted.
    return new StoreFailedException(message, error);
  }

  private static boolean isKind(SQLException error, SQLiteErrorCode kind) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLiteException e && (e.getResultCode().code & KIND_MASK) == kind.code) {
        return true;
      }
    }
    return false;
  }
}
