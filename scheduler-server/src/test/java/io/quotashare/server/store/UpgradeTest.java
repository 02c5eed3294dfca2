package io.quotashare.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.Change;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.Queue;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that the release before wrote is brought up to date, and its rows are read. */
class UpgradeTest {
  @TempDir Path folder;

  @Test
  void queuesOfTheFirstSchemaEnforce() throws SQLException {
    Queue queue = SampleState.queue("q");
    try (StateStore store = SqlStateStore.openSqlite(folder, StoreLimits.DEFAULT)) {
      store.commit(
          new CommitBatch(
              store.takeEpoch(),
              1,
              1000,
              List.of(new Change.QueuePut(queue), SampleState.counters(1, 1)),
              List.of(),
              List.of()));
    }
    String old = RowCodec.encode(queue).replace(",\"preemptionMode\":\"ENFORCE\"", "");
    long checksum = Checksum.of("queues", "q", old, 1L);
    SqliteTampering.run(
        folder,
        "DROP TABLE observations",
        "DROP TABLE observed_preemptions",
        "DROP TABLE pause",
        "ALTER TABLE queues DROP COLUMN preemption_mode",
        "UPDATE queues SET data = '" + old + "', checksum = " + checksum,
        "UPDATE digests SET checksum_sum = " + checksum + " WHERE table_name = 'queues'",
        "DROP TABLE usage_samples",
        "DELETE FROM flyway_schema_history WHERE version <> '1'");

    try (StateStore store = SqlStateStore.openSqlite(folder, StoreLimits.DEFAULT)) {
      store.takeEpoch();
      List<Change> rows = new ArrayList<>();
      store.load().forEach(rows::add);

      assertThat(rows)
          .filteredOn(Change.QueuePut.class::isInstance)
          .singleElement()
          .satisfies(
              row -> {
                Queue read = ((Change.QueuePut) row).queue();
                assertThat(read).isEqualTo(queue);
                assertThat(read.preemptionMode()).isEqualTo(PreemptionMode.ENFORCE);
              });
    }
  }
}
