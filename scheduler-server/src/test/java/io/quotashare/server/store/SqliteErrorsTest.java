package io.quotashare.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.server.store.StoreUnavailableException.Reason;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What may be tried again and what ends the use of the store (reliability D1, D2, D4). */
class SqliteErrorsTest {
  @ParameterizedTest
  @CsvSource({
    "SQLITE_FULL, FULL",
    "SQLITE_BUSY, BUSY",
    "SQLITE_BUSY_SNAPSHOT, BUSY",
    "SQLITE_BUSY_RECOVERY, BUSY",
    "SQLITE_LOCKED, BUSY",
    "SQLITE_LOCKED_SHAREDCACHE, BUSY"
  })
  void someErrorsPass(SQLiteErrorCode code, Reason reason) {
    assertThat(SqliteErrors.translate("f", "try", new SQLiteException("no", code)))
        .isInstanceOfSatisfying(
            StoreUnavailableException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessage("f: cannot try: no");
  }

  /** After a failed flush the pages may have been dropped: trying again would lie. */
  @ParameterizedTest
  @CsvSource({
    "SQLITE_IOERR",
    "SQLITE_IOERR_FSYNC",
    "SQLITE_IOERR_DIR_FSYNC",
    "SQLITE_IOERR_WRITE",
    "SQLITE_IOERR_READ",
    "SQLITE_READONLY",
    "SQLITE_CANTOPEN",
    "SQLITE_CONSTRAINT_FOREIGNKEY",
    "SQLITE_ERROR"
  })
  void otherErrorsEndTheUseOfTheStore(SQLiteErrorCode code) {
    assertThat(SqliteErrors.translate("f", "try", new SQLiteException("no", code)))
        .isInstanceOf(StoreFailedException.class);
  }

  @ParameterizedTest
  @CsvSource({"SQLITE_CORRUPT", "SQLITE_CORRUPT_INDEX", "SQLITE_NOTADB"})
  void someErrorsAreDamage(SQLiteErrorCode code) {
    assertThat(
            SqliteErrors.translate(
                "f", "try", new SQLException("batch", new SQLiteException("no", code))))
        .isInstanceOf(DamagedStateException.class)
        .hasMessageContaining("damaged state in f");
  }

  @Test
  void tooManyReadersPass() {
    assertThat(
            SqliteErrors.translate("f", "read", new SQLTransientConnectionException("timed out")))
        .isInstanceOfSatisfying(
            StoreUnavailableException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BUSY));
  }
}
