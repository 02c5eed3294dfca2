package io.quotashare.server.store;

import static io.quotashare.server.store.SampleState.answer;
import static io.quotashare.server.store.SampleState.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.Change;
import io.quotashare.core.model.Job;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verifying a database beside its writer: everything is read, and every problem names its row. */
class SqlVerifierTest {
  @TempDir Path folder;
  private SqlStateStore store;
  private long epoch;

  @BeforeEach
  void fill() {
    store = SqlStateStore.openSqlite(folder, StoreLimits.DEFAULT);
    epoch = store.takeEpoch();
    store.commit(
        new CommitBatch(
            epoch,
            1,
            1000,
            SampleState.everything(),
            List.of(event("ann", "queues/q", "one"), event("bob", "queues/q", "two")),
            List.of(answer("ann", "r-1", "first"))));
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** Knows nothing, and accepts every commit. */
  private static class Indifferent implements Verifier {
    @Override
    public boolean accepts(CommitPoint at) {
      return true;
    }

    @Override
    public String check(Change put) {
      return "";
    }

    @Override
    public Iterable<String> missing() {
      return List.of();
    }
  }

  private List<String> problems() {
    return store.verify(new Indifferent()).orElseThrow().problems();
  }

  private void tamper(String... statements) throws SQLException {
    SqliteTampering.run(folder, statements);
  }

  @Test
  void allRowsAreReadAsOfTheCommit() {
    Verification verification = store.verify(new Indifferent()).orElseThrow();

    assertThat(verification.problems()).isEmpty();
    assertThat(verification.at()).isEqualTo(new CommitPoint(epoch, 1, 1000));
    // Two audit entries and an answer beside the rows of things.
    assertThat(verification.rows()).isEqualTo(SampleState.everything().size() + 3);
  }

  @Test
  void everyProblemIsToldWithItsRow() throws SQLException {
    tamper(
        "UPDATE jobs SET gpus = 3 WHERE job = 'j-running'",
        "UPDATE nodes SET checksum = checksum + 1 WHERE name = 'n2'",
        "DELETE FROM audit WHERE sequence = 1",
        "UPDATE requests SET answer = '' WHERE request_id = 'r-1'");

    assertThat(problems())
        .anyMatch(p -> p.startsWith("table jobs, row research/j-running: column gpus holds 3"))
        .anyMatch(p -> p.equals("table nodes, row n2: its checksum does not match"))
        .anyMatch(p -> p.startsWith("table audit: holds 1 rows (expected: 2)"))
        .anyMatch(p -> p.startsWith("table requests, row ann/r-1: its checksum does not match"));
  }

  @Test
  void whatTheVerifierFindsIsToldWithTheRow() {
    Verification verification =
        store
            .verify(
                new Indifferent() {
                  @Override
                  public String check(Change put) {
                    return put instanceof Change.PausePut ? "is not in memory" : "";
                  }

                  @Override
                  public Iterable<String> missing() {
                    return List.of("nodes/n9 is in memory and has no row");
                  }
                })
            .orElseThrow();

    assertThat(verification.problems())
        .containsExactly(
            "table pause, row 1: is not in memory", "nodes/n9 is in memory and has no row");
  }

  @Test
  void nothingIsReadOfACommitThatIsNotAccepted() {
    assertThat(
            store.verify(
                new Indifferent() {
                  @Override
                  public boolean accepts(CommitPoint at) {
                    return at.revision() == 2;
                  }

                  @Override
                  public String check(Change put) {
                    throw new AssertionError("read");
                  }
                }))
        .isEmpty();
  }

  @Test
  void commitsGoOnMeanwhileAndAreNotSeen() {
    Verification verification =
        store
            .verify(
                new Indifferent() {
                  private boolean committed;

                  @Override
                  public String check(Change put) {
                    if (!committed && put instanceof Change.JobPut job) {
                      committed = true;
                      Job other = job.job().change().priority(77).build();
                      store.commit(
                          new CommitBatch(
                              epoch,
                              2,
                              2000,
                              List.of(new Change.JobPut(other)),
                              List.of(),
                              List.of()));
                    }
                    return "";
                  }
                })
            .orElseThrow();

    assertThat(verification.at().revision()).isEqualTo(1);
    assertThat(verification.problems()).isEmpty();
    assertThat(store.lastCommit().revision()).isEqualTo(2);
  }

  @Test
  void problemsAreBounded() {
    Verification verification =
        store
            .verify(
                new Indifferent() {
                  @Override
                  public Iterable<String> missing() {
                    return java.util.Collections.nCopies(500, "missing");
                  }
                })
            .orElseThrow();

    assertThat(verification.problems()).hasSize(Verification.MAX_PROBLEMS);
  }
}
