package io.quotashare.server.store;

import static io.quotashare.server.store.SampleState.QUEUE;
import static io.quotashare.server.store.SampleState.UNIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.Batch;
import io.quotashare.core.Change;
import io.quotashare.core.NodeReport;
import io.quotashare.core.PartReport;
import io.quotashare.core.Policy;
import io.quotashare.core.RejectedException;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Launch;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.PartPhase;
import io.quotashare.core.model.Progress;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Strategy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the scheduler itself writes passes the verification of a start, after every single batch,
 * and gives the same state back.
 */
class CoreRowsTest {
  private static final int STEPS = 120;
  private static final int SEEDS = 40;

  @TempDir Path folder;

  /** A scheduler to which random things happen. */
  private static final class Cluster {
    private final Random random;
    private final Scheduler scheduler = new Scheduler();
    private final Map<String, Long> reportVersions = new TreeMap<>();
    private long nowMillis = 1_000;
    private int jobs;

    Cluster(long seed) {
      random = new Random(seed);
      scheduler.applyPolicy(policy(8), false, nowMillis);
      for (String node : List.of("n1", "n2", "n3")) {
        register(node, Set.of());
      }
    }

    private static Policy policy(int capacity) {
      return new Policy(
          List.of(
              new Policy.QueuePolicy(
                  SampleState.queue(QUEUE),
                  List.of(
                      share("lender", Strategy.LEND, 4),
                      share("borrower", Strategy.LEND_AND_BORROW, capacity)))));
    }

    private static QuotaShare share(String name, Strategy strategy, int capacity) {
      return new QuotaShare(
          new ShareKey(QUEUE, name),
          new TreeMap<>(Map.of(UNIT, capacity)),
          strategy,
          new Limit.Percent(-1),
          new Limit.Percent(100),
          true,
          Ordering.STRICT,
          1,
          0,
          AdminState.ENABLED);
    }

    private void register(String name, Set<AttemptKey> known) {
      Node node = SampleState.node(name, 4);
      scheduler.registerNode(
          new NodeReport(name, node.labels(), node.devices(), node.agent()), known, nowMillis);
    }

    Batch step() {
      nowMillis += random.nextInt(20_000);
      try {
        act();
      } catch (RejectedException e) {
        // A random call may be one that is refused; then nothing changed.
      }
      scheduler.decide(nowMillis);
      return scheduler.drain();
    }

    private void act() {
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> submit();
        case 3 -> anyJob().ifPresent(j -> scheduler.cancel(j.key(), "random", nowMillis));
        case 4 ->
            anyJob().ifPresent(j -> scheduler.setPriority(j.key(), random.nextInt(99), nowMillis));
        case 5 -> scheduler.applyPolicy(policy(random.nextInt(9)), random.nextBoolean(), nowMillis);
        case 6 -> {
          String node = "n" + (1 + random.nextInt(3));
          scheduler.nodeSilent(node, nowMillis);
          scheduler.nodeLost(node, "random", nowMillis);
          register(node, Set.of());
        }
        default -> report();
      }
    }

    private void submit() {
      String share = random.nextBoolean() ? "lender" : "borrower";
      JobSpec spec =
          new JobSpec(
              share,
              "",
              new Shape(1 + random.nextInt(2), 1 + random.nextInt(3)),
              UNIT,
              Launch.NOTHING,
              new TreeMap<>(),
              random.nextInt(4) == 0 ? OptionalLong.of(60_000) : OptionalLong.empty(),
              10_000,
              new JobSpec.LostAfter.Default(),
              OptionalLong.empty(),
              random.nextBoolean(),
              random.nextInt(2),
              random.nextBoolean()
                  ? new RetryOn.Any()
                  : new RetryOn.Except(new TreeSet<>(Set.of(1 + random.nextInt(3)))),
              OptionalInt.empty(),
              random.nextInt(5) == 0 ? BorrowMode.NEVER : BorrowMode.ALLOWED,
              false);
      scheduler.submit(new JobKey(QUEUE, "job-" + jobs++), spec, random.nextInt(3) * 10, nowMillis);
    }

    private Optional<Job> anyJob() {
      List<Job> open = scheduler.jobs().stream().filter(j -> !j.state().isTerminal()).toList();
      return open.isEmpty() ? Optional.empty() : Optional.of(open.get(random.nextInt(open.size())));
    }

    private void report() {
      List<Attempt> live = List.copyOf(scheduler.liveAttempts());
      if (live.isEmpty()) {
        return;
      }
      Attempt attempt = live.get(random.nextInt(live.size()));
      PartPhase next =
          switch (attempt.parts().get(0).phase()) {
            case ASSIGNED -> random.nextInt(6) == 0 ? PartPhase.START_FAILED : PartPhase.STARTING;
            case STARTING -> PartPhase.RUNNING;
            case RUNNING -> PartPhase.EXITED;
            default -> PartPhase.FREE;
          };
      int exitCode = random.nextInt(3) == 0 ? 1 : 0;
      for (Part part : attempt.parts()) {
        long version = reportVersions.merge(attempt.key() + "/" + part.rank(), 1L, Long::sum);
        scheduler.report(
            new PartReport(
                attempt.key(),
                part.rank(),
                version,
                next,
                next == PartPhase.EXITED || next == PartPhase.FREE
                    ? OptionalInt.of(exitCode)
                    : OptionalInt.empty(),
                OptionalInt.empty(),
                attempt.stop() == null,
                "",
                Progress.NONE),
            nowMillis);
      }
    }
  }

  private static List<Change> rowsOf(StateStore store) {
    List<Change> rows = new ArrayList<>();
    store.load().forEach(rows::add);
    return rows;
  }

  @Test
  void everyBatchLeavesRowsThatAgree() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Cluster cluster = new Cluster(seed);
      try (StateStore store = new MemoryStateStore(StoreLimits.DEFAULT)) {
        long epoch = store.takeEpoch();
        for (int i = 1; i <= STEPS; i++) {
          commit(store, epoch, i, cluster);
          assertThat(rowsOf(store)).as("seed %s", seed).isNotEmpty();
        }
        assertRestores(cluster, rowsOf(store), seed);
      }
    }
  }

  private static void commit(StateStore store, long epoch, long revision, Cluster cluster) {
    Batch batch = cluster.step();
    store.commit(
        new CommitBatch(epoch, revision, cluster.nowMillis, batch.changes(), List.of(), List.of()));
  }

  private static void assertRestores(Cluster cluster, List<Change> rows, long seed) {
    Scheduler restored = Scheduler.restore(rows);
    assertThat(restored.jobs())
        .as("seed %s", seed)
        .containsExactlyInAnyOrderElementsOf(cluster.scheduler.jobs());
    assertThat(restored.liveAttempts())
        .as("seed %s", seed)
        .containsExactlyInAnyOrderElementsOf(cluster.scheduler.liveAttempts());
    for (String node : List.of("n1", "n2", "n3")) {
      assertThat(restored.effectsFor(node)).isEqualTo(cluster.scheduler.effectsFor(node));
    }
  }

  @Test
  void bothStoresGiveTheSameRowsBack() {
    Cluster one = new Cluster(SEEDS);
    Cluster other = new Cluster(SEEDS);
    try (StateStore memory = new MemoryStateStore(StoreLimits.DEFAULT);
        StateStore sqlite = SqlStateStore.openSqlite(folder, StoreLimits.DEFAULT)) {
      long memoryEpoch = memory.takeEpoch();
      long sqliteEpoch = sqlite.takeEpoch();
      for (int i = 1; i <= STEPS; i++) {
        commit(memory, memoryEpoch, i, one);
        commit(sqlite, sqliteEpoch, i, other);
      }
      List<Change> rows = rowsOf(sqlite);
      assertThat(rows).isEqualTo(rowsOf(memory));
      assertThat(
              Stream.of(Change.PreemptionPut.class, Change.AttemptPut.class, Change.JobPut.class))
          .allMatch(type -> rows.stream().anyMatch(type::isInstance));
      assertRestores(other, rows, SEEDS);
    }
  }
}
