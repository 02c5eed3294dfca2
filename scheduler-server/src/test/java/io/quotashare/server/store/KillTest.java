package io.quotashare.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.Change;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A scheduler is killed while it commits (reliability S2, S3, D3): what was acknowledged is there,
 * the batch in progress wholly or not at all.
 */
class KillTest {
  private static final int KILLS = 4;
  private static final int MAX_COMMITS_BEFORE_KILL = 60;

  /** So few that they are all in the log still: the database moves it into its file in time. */
  private static final int MAX_COMMITS_IN_LOG = 20;

  @TempDir Path folder;
  private final long seed = Long.getLong("quotashare.seed", 20261201L);
  private final Random random = new Random(seed);

  /** What this test runs on, for programs that it starts. */
  static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Lets the program commit for a while and kills it; returns the last acknowledged revision. */
  private long commitAndKill(Path data, int maxCommits) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                CommitLoop.class.getName(),
                data.toString())
            .redirectError(folder.resolve("stderr.txt").toFile())
            .start();
    long acknowledged = 0;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      int count = 1 + random.nextInt(maxCommits);
      String line = lines.readLine();
      for (int i = 0; line != null; i++) {
        if (line.matches("\\d+")) {
          acknowledged = Long.parseLong(line);
        }
        if (i == count) {
          // By its handle: the process itself would throw away what was not read yet.
          process.toHandle().destroyForcibly();
        }
        line = lines.readLine();
      }
    } finally {
      process.destroyForcibly();
      process.waitFor();
    }
    assertThat(acknowledged)
        .as("seed %s, standard error: %s", seed, Files.readString(folder.resolve("stderr.txt")))
        .isPositive();
    return acknowledged;
  }

  /** Everything up to a revision, by the rules of the program. */
  static void assertHoldsExactly(StateStore store, long revision) {
    try (StateStore expected = new MemoryStateStore(StoreLimits.DEFAULT)) {
      long epoch = expected.takeEpoch();
      for (long r = 1; r <= revision; r++) {
        expected.commit(CommitLoop.batch(epoch, r));
      }
      List<Change> rows = new ArrayList<>();
      store.load().forEach(rows::add);
      assertThat(rows).containsExactlyElementsOf(expected.load());
      assertThat(store.audit(AuditQuery.newest(1000)).items())
          .isEqualTo(expected.audit(AuditQuery.newest(1000)).items());
      for (long r = 1; r <= revision + 1; r++) {
        RequestKey key = new RequestKey("ann", "r-" + r);
        assertThat(store.answer(key)).isEqualTo(expected.answer(key));
      }
    }
  }

  @Test
  void whatWasAcknowledgedIsThereAndNothingIsThereByHalves() throws Exception {
    Path data = folder.resolve("data");
    long before = 0;
    for (int kill = 1; kill <= KILLS; kill++) {
      long acknowledged = commitAndKill(data, MAX_COMMITS_BEFORE_KILL);
      assertThat(acknowledged).isGreaterThan(before);
      try (StateStore store = SqlStateStore.openSqlite(data, StoreLimits.DEFAULT)) {
        assertThat(store.takeEpoch()).as("seed %s", seed).isEqualTo(2L * kill);
        long found = store.lastCommit().revision();
        assertThat(found)
            .as("seed %s, kill %s", seed, kill)
            .isBetween(acknowledged, acknowledged + 1);
        assertHoldsExactly(store, found);
        before = found;
      }
    }
  }

  /**
   * Power fails while the log is being written: its end is missing or is garbage. Whatever is left
   * of it is a number of whole batches.
   */
  @Test
  void aTornLogHoldsWholeBatches() throws Exception {
    Path data = folder.resolve("data");
    long acknowledged = commitAndKill(data, MAX_COMMITS_IN_LOG);
    byte[] log = Files.readAllBytes(data.resolve("quotashare.db-wal"));
    byte[] main = Files.readAllBytes(data.resolve("quotashare.db"));
    assertThat(log).isNotEmpty();
    Set<Long> revisions = new HashSet<>();
    for (int i = 0; i < 15; i++) {
      Path copy = Files.createDirectory(folder.resolve("copy" + i));
      int end = i == 0 ? log.length : random.nextInt(log.length);
      byte[] torn = Arrays.copyOf(log, i % 2 == 0 ? end : log.length);
      for (int j = end; j < torn.length; j++) {
        torn[j] = (byte) random.nextInt();
      }
      Files.write(copy.resolve("quotashare.db"), main);
      Files.write(copy.resolve("quotashare.db-wal"), torn);
      try (StateStore store = SqlStateStore.openSqlite(copy, StoreLimits.DEFAULT)) {
        store.takeEpoch();
        long found = store.lastCommit().revision();
        assertThat(found).as("seed %s", seed).isBetween(0L, acknowledged + 1);
        assertHoldsExactly(store, found);
        revisions.add(found);
      } catch (DamagedStateException e) {
        throw new AssertionError("seed " + seed + ", log cut at " + end, e);
      }
    }
    assertThat(revisions).as("seed %s", seed).hasSizeGreaterThan(1);
  }

  @Test
  void theFolderIsFreeAgainAfterAKill() throws Exception {
    Path data = folder.resolve("data");
    commitAndKill(data, MAX_COMMITS_BEFORE_KILL);
    try (StateStore store = SqlStateStore.openSqlite(data, StoreLimits.DEFAULT)) {
      assertThat(store.takeEpoch()).isEqualTo(2);
      assertThatThrownBy(() -> SqlStateStore.openSqlite(data, StoreLimits.DEFAULT))
          .isInstanceOf(StoreUnavailableException.class);
    }
  }
}
