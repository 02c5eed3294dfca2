package io.quotashare.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.server.store.StoreUnavailableException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The folder of the embedded database: who may read it, who may open it. */
class SqliteFilesTest {
  @TempDir Path folder;

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private StateStore open(String name) {
    return SqlStateStore.openSqlite(folder.resolve(name), StoreLimits.DEFAULT);
  }

  @Test
  void onlyTheOwnerMayRead() throws IOException {
    try (StateStore store = open("a/b")) {
      store.takeEpoch();
      assertThat(permissions(folder.resolve("a"))).isEqualTo("rwx------");
      assertThat(permissions(folder.resolve("a/b"))).isEqualTo("rwx------");
      try (Stream<Path> files = Files.list(folder.resolve("a/b"))) {
        List<Path> all = files.toList();
        assertThat(all)
            .extracting(f -> f.getFileName().toString())
            .contains("quotashare.db", "quotashare.db-wal", "quotashare.lock");
        for (Path file : all) {
          assertThat(permissions(file)).as("%s", file).isEqualTo("rw-------");
        }
      }
    }
  }

  @Test
  void anExistingFolderIsClosedToOthers() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    open("data").close();
    Files.setPosixFilePermissions(
        data.resolve("quotashare.db"), PosixFilePermissions.fromString("rw-r--r--"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));

    open("data").close();

    assertThat(permissions(data)).isEqualTo("rwx------");
    assertThat(permissions(data.resolve("quotashare.db"))).isEqualTo("rw-------");
  }

  @Test
  void aFolderWithOtherThingsIsNotTouched() throws IOException {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(shared.resolve("notes.txt"), "mine");

    assertThatThrownBy(() -> open("shared"))
        .isInstanceOf(StoreFailedException.class)
        .hasMessageContaining("has permissions rwxr-xr-x (expected: rwx------)")
        .hasMessageContaining("notes.txt");
    assertThat(permissions(shared)).isEqualTo("rwxr-xr-x");
    assertThat(shared.resolve("quotashare.db")).doesNotExist();
  }

  @Test
  void aFileIsNoFolder() throws IOException {
    Files.writeString(folder.resolve("file"), "");

    assertThatThrownBy(() -> open("file"))
        .isInstanceOf(StoreFailedException.class)
        .hasMessageContaining("is not a directory");
  }

  @Test
  void onlyOneSchedulerOpensAFolder() {
    try (StateStore store = open("data")) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> open("data"))
            .isInstanceOfSatisfying(
                StoreUnavailableException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BUSY))
            .hasMessageContaining("is in use by another scheduler")
            .hasMessageContaining("process " + ProcessHandle.current().pid());
      }
      assertThat(store.takeEpoch()).isEqualTo(1);
    }
    try (StateStore store = open("data")) {
      assertThat(store.takeEpoch()).isEqualTo(2);
    }
  }

  @Test
  void otherProgramsReadWhileTheSchedulerRuns() throws SQLException {
    try (StateStore store = open("data");
        Connection other =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("data/quotashare.db"));
        Statement statement = other.createStatement()) {
      store.commit(
          new CommitBatch(store.takeEpoch(), 1, 1, SampleState.everything(), List.of(), List.of()));
      try (ResultSet result =
          statement.executeQuery("SELECT SUM(gpus) FROM attempts WHERE ended_at_millis IS NULL")) {
        assertThat(result.next()).isTrue();
        assertThat(result.getLong(1)).isEqualTo(4);
      }
      store.commit(SampleState.batch(1, 2, SampleState.counters(7, 7)));
    }
  }

  /** What a commit promises rests on these settings of the writer. */
  @ParameterizedTest
  @CsvSource({
    "journal_mode, wal",
    "synchronous, 2",
    "foreign_keys, 1",
  })
  void theWriterFlushesEachCommit(String setting, String expected) throws SQLException {
    try (SqlDatabase database = SqliteDatabase.open(folder.resolve("data"));
        Connection writer = database.connectWriter();
        Statement statement = writer.createStatement();
        ResultSet result = statement.executeQuery("PRAGMA " + setting)) {
      assertThat(result.getString(1)).isEqualTo(expected);
    }
  }

  @Test
  void readersCannotWrite() throws SQLException {
    try (SqlDatabase database = SqliteDatabase.open(folder.resolve("data"));
        Connection reader = database.connectReader();
        Statement statement = reader.createStatement()) {
      assertThatThrownBy(() -> statement.execute("DELETE FROM jobs"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("readonly");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SELECT * FROM jobs WHERE queue = 'q' ORDER BY sequence DESC LIMIT 9",
    "SELECT * FROM jobs WHERE queue = 'q' AND share = 's' ORDER BY sequence DESC LIMIT 9",
    "SELECT * FROM preemptions WHERE queue = 'q'"
        + " ORDER BY requested_at_millis DESC; queue; job; attempt LIMIT 9",
  })
  void pagesAreReadInTheOrderOfAnIndex(String query) throws SQLException {
    try (SqlDatabase database = SqliteDatabase.open(folder.resolve("data"));
        Connection reader = database.connectReader();
        Statement statement = reader.createStatement();
        ResultSet plan = statement.executeQuery("EXPLAIN QUERY PLAN " + query.replace(';', ','))) {
      while (plan.next()) {
        assertThat(plan.getString("detail")).contains("USING INDEX").doesNotContain("TEMP B-TREE");
      }
    }
  }
}
