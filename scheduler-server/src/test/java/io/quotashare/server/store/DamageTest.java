package io.quotashare.server.store;

import static io.quotashare.server.store.SampleState.answer;
import static io.quotashare.server.store.SampleState.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.Change;
import io.quotashare.core.model.Job;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Damage at rest (reliability D4): it is found before anything is decided on it. */
class DamageTest {
  private static final int PAGE_BYTES = 4096;

  @TempDir static Path shared;
  private static Path intact;

  @TempDir Path folder;
  private Path data;
  private Path file;

  /** All that a store holds. */
  private record Content(
      List<Change> rows, List<AuditRecord> audit, List<RequestAnswer> answers, long revision) {}

  @BeforeAll
  static void fill() {
    intact = shared.resolve("intact");
    try (StateStore store = SqlStateStore.openSqlite(intact, StoreLimits.DEFAULT)) {
      store.commit(
          new CommitBatch(
              store.takeEpoch(),
              1,
              1000,
              SampleState.everything(),
              List.of(event("ann", "queues/q", "one"), event("bob", "queues/q", "two")),
              List.of(answer("ann", "r-1", "first"))));
    }
  }

  @BeforeEach
  void copy() throws IOException {
    data = Files.createDirectory(folder.resolve("data"));
    file = data.resolve("quotashare.db");
    Files.copy(intact.resolve("quotashare.db"), file);
  }

  private Content read() {
    try (StateStore store = SqlStateStore.openSqlite(data, StoreLimits.DEFAULT)) {
      store.takeEpoch();
      List<Change> rows = new ArrayList<>();
      store.load().forEach(rows::add);
      return new Content(
          rows,
          store.audit(AuditQuery.newest(10)).items(),
          store.answer(new RequestKey("ann", "r-1")).stream().toList(),
          store.lastCommit().revision());
    }
  }

  private void tamper(String... statements) throws SQLException {
    SqliteTampering.run(data, statements);
  }

  private void assertRefused(String table, String row, String problem) {
    assertThatThrownBy(this::read)
        .isInstanceOfSatisfying(
            DamagedStateException.class,
            e -> {
              assertThat(e.location()).isEqualTo(file.toString());
              assertThat(e.table()).isEqualTo(table);
              assertThat(e.rowKey()).isEqualTo(row);
            })
        .hasMessageContaining(problem);
  }

  @Test
  void readsWhatIsIntact() {
    assertThat(read().rows()).isEqualTo(SampleState.everything());
  }

  @Test
  void aFlippedBitOnAnyPageIsFoundOrMeansNothing() throws IOException {
    byte[] original = Files.readAllBytes(file);
    Content expected = read();
    long seed = Long.getLong("quotashare.seed", 20261201L);
    Random random = new Random(seed);
    int refused = 0;
    for (int page = 0; page * PAGE_BYTES < original.length; page++) {
      byte[] damaged = original.clone();
      int offset = page * PAGE_BYTES + random.nextInt(PAGE_BYTES);
      damaged[offset] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, damaged);
      try {
        assertThat(read()).as("seed %s, offset %s", seed, offset).isEqualTo(expected);
      } catch (DamagedStateException | StoreFailedException e) {
        refused++;
        assertThat(e).as("seed %s", seed).hasMessageContaining("quotashare.db");
      }
    }
    assertThat(refused).as("seed %s", seed).isPositive();
  }

  @ParameterizedTest
  @CsvSource({
    "for another job, attempts, research/j-victim/1",
    "of j-victim, jobs, research/j-waiting",
    "boot-of-n1, nodes, n1",
  })
  void aFlippedByteOfARowNamesTheRow(String textInRow, String table, String row)
      throws IOException {
    byte[] damaged = Files.readAllBytes(file);
    // The last copy in the file may be one in a column; the first is the one in data or the column
    // before it: either way the row is not what was written.
    int offset = new String(damaged, StandardCharsets.ISO_8859_1).indexOf(textInRow);
    assertThat(offset).isPositive();
    damaged[offset] ^= 1;
    Files.write(file, damaged);

    assertRefused(table, row, row);
  }

  @Test
  void missingPagesAreFound() throws IOException {
    byte[] original = Files.readAllBytes(file);
    for (int pages = 0; pages < original.length / PAGE_BYTES; pages += 7) {
      byte[] cut = Arrays.copyOf(original, Math.max(100, pages * PAGE_BYTES));
      Files.write(file, cut);
      assertThatThrownBy(this::read)
          .as("%s pages", pages)
          .isInstanceOf(DamagedStateException.class)
          .hasMessageContaining("quotashare.db");
    }
  }

  @Test
  void aFileOfAnotherKindIsRefused() throws IOException {
    Files.writeString(file, "not a database, but long enough to look at twice".repeat(100));

    assertThatThrownBy(this::read)
        .isInstanceOf(DamagedStateException.class)
        .hasMessageContaining("quotashare.db")
        .hasMessageContaining("not a database");
  }

  @Test
  void aColumnThatDisagreesWithItsRowIsFound() throws SQLException {
    tamper("UPDATE jobs SET state = 'SUCCEEDED' WHERE job = 'j-running'");

    assertRefused("jobs", "research/j-running", "column state holds SUCCEEDED, data says RUNNING");
  }

  @Test
  void aColumnOfAnotherTypeIsFound() throws SQLException {
    tamper("UPDATE jobs SET priority = 'high' WHERE job = 'j-running'");

    assertRefused("jobs", "research/j-running", "column priority holds high, data says 10");
  }

  @Test
  void aChangedRowIsFound() throws SQLException {
    tamper("UPDATE attempts SET data = replace(data, '\"resumes\":true', '\"resumes\":false')");

    assertRefused("attempts", "research/j-victim/2", "its checksum does not match");
  }

  @Test
  void aRowUnderAnotherKeyIsFound() throws SQLException {
    tamper("UPDATE nodes SET name = 'n9' WHERE name = 'n2'");

    assertRefused("nodes", "n9", "its checksum does not match");
  }

  @Test
  void aRowWithARightChecksumThatIsNoRowIsFound() throws SQLException {
    long checksum = Checksum.of("holds", "research", "H100", "{}", 1L);
    tamper("UPDATE holds SET data = '{}', checksum = " + checksum);

    assertRefused("holds", "research/H100", "data: ");
  }

  @Test
  void aRowThatIsGoneIsFound() throws SQLException {
    tamper("DELETE FROM preemptions WHERE attempt = 1");

    assertRefused("preemptions", "", "holds 1 rows (expected: 2)");
  }

  @Test
  void anOlderVersionOfARowIsFound() throws SQLException {
    tamper("CREATE TABLE old AS SELECT * FROM jobs WHERE job = 'j-waiting'");
    try (StateStore store = SqlStateStore.openSqlite(data, StoreLimits.DEFAULT)) {
      Job job = store.job(SampleState.WAITING).orElseThrow().change().priority(5).build();
      store.commit(SampleState.batch(store.takeEpoch(), 2, new Change.JobPut(job)));
    }
    tamper("INSERT OR REPLACE INTO jobs SELECT * FROM old", "DROP TABLE old");

    assertRefused("jobs", "", "a row is not the newest version of itself");
  }

  @Test
  void aRowOfALaterRevisionThanTheLastIsFound() throws SQLException {
    String text = RowCodec.encode(SampleState.node("n2", 0));
    long checksum = Checksum.of("nodes", "n2", text, 9L);
    tamper("UPDATE nodes SET written_revision = 9, checksum = " + checksum + " WHERE name = 'n2'");

    assertRefused("nodes", "n2", "was written by revision 9, but the last is 1");
  }

  @Test
  void aReferenceToNothingIsFound() throws SQLException {
    tamper("DELETE FROM jobs WHERE job = 'j-running'");

    assertRefused("attempts", "rowid 1", "refers to a row of jobs that is not there");
  }

  @Test
  void aChangedEpochIsFound() throws SQLException {
    tamper("UPDATE epoch SET epoch = 0");

    assertRefused("epoch", "1", "its checksum does not match");
  }

  @Test
  void aLostEpochIsFound() throws SQLException {
    tamper("DELETE FROM epoch");

    assertRefused("epoch", "1", "missing, although there is state");
  }

  @Test
  void aChangedAuditEventIsFound() throws SQLException {
    tamper("UPDATE audit SET principal = 'eve' WHERE sequence = 1");

    assertRefused("audit", "1", "its checksum does not match");
  }

  @Test
  void aRemovedAuditEventIsFound() throws SQLException {
    tamper("DELETE FROM audit WHERE sequence = 2");

    assertRefused("audit", "", "holds 1 rows (expected: 2)");
  }

  @Test
  void aChangedAnswerIsFound() throws SQLException {
    tamper("UPDATE requests SET answer = 'AAAA'");

    assertRefused("requests", "ann/r-1", "its checksum does not match");
  }

  @Test
  void aRemovedAnswerIsFound() throws SQLException {
    tamper("DELETE FROM requests");

    assertRefused("requests", "", "holds 0 rows (expected: 1)");
  }

  @Test
  void aChangedMigrationIsFound() throws SQLException {
    tamper("UPDATE flyway_schema_history SET checksum = 1");

    assertRefused("flyway_schema_history", "", "checksum");
  }

  @Test
  void aSchemaOfANewerProgramIsRefused() throws SQLException {
    tamper(
        "INSERT INTO flyway_schema_history SELECT 99, '99', description, type, script, checksum,"
            + " installed_by, installed_on, execution_time, success FROM flyway_schema_history"
            + " WHERE version = '1'");

    assertThatThrownBy(this::read)
        .isInstanceOf(StoreFailedException.class)
        .hasMessageContaining("schema version 99 was made by a newer program");
  }

  @Test
  void queriesVerifyWhatTheyReturn() throws SQLException {
    tamper("UPDATE jobs SET gpus = 3 WHERE job = 'j-running'");

    try (StateStore store = SqlStateStore.openSqlite(data, StoreLimits.DEFAULT)) {
      assertThatThrownBy(() -> store.job(SampleState.RUNNING))
          .isInstanceOf(DamagedStateException.class)
          .hasMessageContaining("row research/j-running: column gpus holds 3, data says 2");
      assertThat(store.job(SampleState.VICTIM)).isPresent();
    }
  }
}
