package io.quotashare.server.store;

import static io.quotashare.server.store.SampleState.QUEUE;
import static io.quotashare.server.store.SampleState.batch;
import static io.quotashare.server.store.SampleState.job;
import static io.quotashare.server.store.SampleState.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.Change;
import io.quotashare.core.model.JobKey;
import io.quotashare.server.failpoint.Failpoints;
import io.quotashare.server.store.StoreUnavailableException.Reason;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Errors of the database while it is used (reliability D1). */
class SqliteFaultTest {
  @TempDir Path folder;
  private TunedDatabase database;
  private StateStore store;
  private long epoch;

  /** A database whose writer a test can change the settings of. */
  private static final class TunedDatabase implements SqlDatabase {
    private final SqlDatabase real;
    private String setting = "user_version";
    private @Nullable Connection writer;

    TunedDatabase(SqlDatabase real) {
      this.real = real;
    }

    /** Changes a setting of the writer's present connection and of those that follow. */
    void tune(String newSetting) throws SQLException {
      setting = newSetting;
      apply();
    }

    private void apply() throws SQLException {
      try (Statement statement = writer.createStatement()) {
        statement.execute("PRAGMA " + setting);
      }
      writer.rollback();
    }

    @Override
    public String location() {
      return real.location();
    }

    @Override
    public Connection connectWriter() throws SQLException {
      writer = real.connectWriter();
      apply();
      return writer;
    }

    @Override
    public Connection connectReader() throws SQLException {
      return real.connectReader();
    }

    @Override
    public void check() {
      real.check();
    }

    @Override
    public long bytes() {
      return real.bytes();
    }

    @Override
    public boolean reclaim(Connection connection) throws SQLException {
      return real.reclaim(connection);
    }

    @Override
    public StoreException translate(String doing, SQLException error, boolean committing) {
      return real.translate(doing, error, committing);
    }

    @Override
    public void close() {
      real.close();
    }
  }

  @BeforeEach
  void open() {
    database = new TunedDatabase(SqliteDatabase.open(folder.resolve("data")));
    store = new SqlStateStore(database, StoreLimits.DEFAULT, Failpoints.NONE);
    epoch = store.takeEpoch();
    store.commit(
        batch(
            epoch,
            1,
            new Change.QueuePut(queue(QUEUE)),
            new Change.SharePut(SampleState.share(QUEUE, "vision"))));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static Change[] manyJobs() {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      changes.add(new Change.JobPut(job(new JobKey(QUEUE, "job-" + i), "vision", i)));
    }
    changes.add(SampleState.counters(500, 0));
    return changes.toArray(Change[]::new);
  }

  @Test
  void takesTheSameBatchAgainWhenThereIsRoom() throws SQLException {
    database.tune("max_page_count = 70");
    CommitBatch batch = batch(epoch, 2, manyJobs());

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> store.commit(batch))
          .isInstanceOfSatisfying(
              StoreUnavailableException.class, e -> assertThat(e.reason()).isEqualTo(Reason.FULL))
          .hasMessageContaining("quotashare.db: cannot commit revision 2");
      assertThat(store.lastCommit().revision()).isEqualTo(1);
      assertThat(store.load()).hasSize(2);
    }

    database.tune("max_page_count = 100000");
    store.commit(batch);
    assertThat(store.load()).hasSize(503);
    assertThat(store.lastCommit().revision()).isEqualTo(2);
  }

  @Test
  void takesTheSameBatchAgainWhenAnotherProgramHasStoppedWriting() throws SQLException {
    database.tune("busy_timeout = 20");
    CommitBatch batch = batch(epoch, 2, SampleState.counters(1, 1));
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + database.location());
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");

      assertThatThrownBy(() -> store.commit(batch))
          .isInstanceOfSatisfying(
              StoreUnavailableException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BUSY));
      assertThat(store.load()).as("readers do not wait").hasSize(2);

      statement.execute("ROLLBACK");
    }
    store.commit(batch);
    assertThat(store.lastCommit().revision()).isEqualTo(2);
  }

  @Test
  void stopsWhenTheTablesAreNotWhatTheyWere() throws SQLException {
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + database.location());
        Statement statement = other.createStatement()) {
      statement.execute("DROP TABLE counters");
    }

    assertThatThrownBy(() -> store.commit(batch(epoch, 2, SampleState.counters(1, 1))))
        .isInstanceOf(StoreFailedException.class)
        .hasMessageContaining("counters");
    assertThatThrownBy(() -> store.commit(batch(epoch, 2)))
        .isInstanceOf(StoreFailedException.class)
        .hasMessageContaining("failed before");
  }
}
