package io.quotashare.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the space that removed rows leave in the file. */
class SqliteSpaceTest {
  private static final long MIB = 1 << 20;
  private static final StoreLimits LIMITS = new StoreLimits(1000, 10, 1000, 1_000_000);

  @TempDir private Path folder;
  private long revision;
  private long epoch;

  private Path data() {
    return folder.resolve("data");
  }

  private long fileBytes() throws IOException {
    return Files.size(data().resolve("quotashare.db"));
  }

  /** Entries of the audit log, of about 60 KiB each. */
  private void commit(StateStore store, long atMillis, int entries) {
    AuditEvent large =
        new AuditEvent("ann", "APPLY_POLICY", "queues/q", "", "", "x".repeat(60_000), "");
    List<AuditEvent> audit = Collections.nCopies(entries, large);
    revision++;
    store.commit(new CommitBatch(epoch, revision, atMillis, List.of(), audit, List.of()));
  }

  private StateStore open() {
    StateStore store = SqlStateStore.openSqlite(data(), LIMITS);
    epoch = store.takeEpoch();
    revision = store.lastCommit().revision();
    return store;
  }

  private static void read(StateStore store) {
    assertThat(store.load()).isEmpty();
  }

  @Test
  void muchFreeSpaceIsGivenBackLittleByLittle() throws IOException {
    try (StateStore store = open()) {
      for (int i = 0; i < 30; i++) {
        commit(store, 0, 10);
      }
      commit(store, 5000, 1);
      commit(store, 5000, 1);
    }
    assertThat(fileBytes()).isGreaterThan(12 * MIB);

    try (StateStore store = open()) {
      long before = fileBytes();
      commit(store, 5000, 1);
      for (int i = 0; i < 60; i++) {
        commit(store, 5000, 0);
      }
      read(store);
      assertThat(store.statistics().bytes()).isPositive();
      assertThat(before).isGreaterThan(8 * MIB);
    }
    assertThat(fileBytes()).as("what is left, and a reserve").isLessThan(8 * MIB);
    try (StateStore store = open()) {
      read(store);
    }
  }

  @Test
  void newRowsFillTheSpaceOfRemovedOnes() throws IOException {
    try (StateStore store = open()) {
      for (int i = 0; i < 30; i++) {
        commit(store, i * 100L, 2);
      }
    }
    long full = fileBytes();

    try (StateStore store = open()) {
      for (int i = 30; i < 300; i++) {
        commit(store, i * 100L, 2);
      }
    }

    assertThat(fileBytes()).isLessThanOrEqualTo(full * 5 / 4);
  }

  /** A file that an earlier release made cannot give pages back; it is used all the same. */
  @Test
  void anOlderFileKeepsItsSizeAndFillsItsSpace() throws IOException, SQLException {
    open().close();
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + data().resolve("quotashare.db"));
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode = DELETE");
      statement.execute("PRAGMA auto_vacuum = NONE");
      statement.execute("VACUUM");
    }

    try (StateStore store = open()) {
      for (int i = 0; i < 20; i++) {
        commit(store, 0, 10);
      }
      for (int i = 0; i < 20; i++) {
        commit(store, 5000, 1);
      }
      read(store);
    }

    assertThat(fileBytes()).isGreaterThan(10 * MIB);
    try (StateStore store = open()) {
      read(store);
    }
  }
}
