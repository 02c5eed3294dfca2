package io.quotashare.core.replay;

import io.quotashare.core.Policy;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.IdleAssignment;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Launch;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Strategy;
import io.quotashare.core.model.Unassigned;
import io.quotashare.core.replay.ScenarioEvent.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;

/** Makes scenarios in which everything happens to everybody; the same seed gives the same one. */
final class RandomScenario {
  /** Longest that a victim may take: minRuntime of a share and grace of a job. */
  static final long MOST_WAIT_MILLIS = 90_000;

  private static final String UNIT = "H100";
  private static final long HOUR = 3_600_000;

  /** What may happen in a scenario. */
  enum Kind {
    /** Jobs come, change and go; limits and nodes stay. */
    CALM,
    /** The same on one node on which all limits together fit: every owner can be served (I6). */
    ENTITLED,
    /** Limits change and nodes come and go too. */
    WILD
  }

  private final Random random;
  private final Kind kind;
  private final List<QuotaShare> shares = new ArrayList<>();
  private final List<VirtualNode> nodes = new ArrayList<>();
  private final List<VirtualJob> jobs = new ArrayList<>();

  private RandomScenario(long seed, Kind kind) {
    this.random = new Random(seed);
    this.kind = kind;
  }

  static Scenario of(long seed, Kind kind) {
    return new RandomScenario(seed, kind).scenario(seed);
  }

  private Scenario scenario(long seed) {
    int nodeCount = kind == Kind.ENTITLED ? 0 : 1 + random.nextInt(4);
    for (int i = 0; i < nodeCount; i++) {
      nodes.add(new VirtualNode("n" + i, 1 + random.nextInt(6), UNIT, new TreeMap<>()));
    }
    int shareCount = 1 + random.nextInt(4);
    for (int i = 0; i < shareCount; i++) {
      shares.add(share("s" + i));
    }
    if (kind == Kind.ENTITLED) {
      int owned = shares.stream().mapToInt(share -> share.capacity(UNIT)).sum();
      nodes.add(
          new VirtualNode("n", Math.max(1, owned + random.nextInt(3)), UNIT, new TreeMap<>()));
    }
    Policy policy = new Policy(List.of(new Policy.QueuePolicy(queue(), shares)));
    List<RunningJob> running = running();
    List<ScenarioEvent> events = new ArrayList<>();
    int eventCount = 5 + random.nextInt(40);
    long at = 0;
    for (int i = 0; i < eventCount; i++) {
      at += random.nextInt(4) == 0 ? 0 : random.nextInt(60) * 1000L;
      events.add(event(at));
    }
    Scenario.Timing timing =
        new Scenario.Timing(seconds(0, 0, 1, 7), seconds(0, 5, 90), seconds(0, 1, 10, 200));
    return new Scenario(
        "seed " + seed,
        policy,
        nodes,
        timing,
        running,
        events,
        OptionalLong.of(at + 48 * HOUR),
        List.of());
  }

  /** Jobs that run already, also beyond limits: whoever put them there is not known. */
  private List<RunningJob> running() {
    List<RunningJob> running = new ArrayList<>();
    if (kind == Kind.ENTITLED || random.nextBoolean()) {
      return running;
    }
    for (VirtualNode node : nodes) {
      int free = node.gpus();
      while (free > 0 && random.nextInt(3) > 0) {
        VirtualJob job = job();
        int gpus = job.spec().shape().gpusPerNode();
        if (job.spec().shape().nodes() == 1 && gpus <= free && isFeasible(job)) {
          long since = -random.nextInt((int) Math.min(500_000, job.durationMillis().orElse(0) + 1));
          running.add(new RunningJob(job, List.of(node.name()), since, OptionalLong.empty()));
          free -= gpus;
        }
      }
    }
    return running;
  }

  /** What could never run is refused, also where it runs already. */
  private boolean isFeasible(VirtualJob job) {
    return job.spec().allowInfeasible();
  }

  private Queue queue() {
    return new Queue(
        "q",
        AdminState.ENABLED,
        new TreeMap<>(),
        pick(IdleAssignment.values()),
        pick(Unassigned.values()),
        Queue.DEFAULT_MAX_GRACE_MILLIS,
        Queue.DEFAULT_LOST_WORK_CAP_MILLIS,
        Queue.DEFAULT_RESTART_COST_MILLIS,
        List.of(),
        PreemptionMode.ENFORCE);
  }

  private QuotaShare share(String name) {
    TreeMap<String, Integer> capacity = new TreeMap<>();
    capacity.put(UNIT, random.nextInt(7));
    return new QuotaShare(
        new ShareKey("q", name),
        capacity,
        pick(Strategy.values()),
        random.nextBoolean() ? new Limit.Percent(-1) : new Limit.Percent(random.nextInt(200)),
        random.nextBoolean() ? new Limit.Percent(100) : new Limit.Percent(random.nextInt(101)),
        random.nextBoolean(),
        random.nextInt(4) == 0 ? Ordering.BACKFILL : Ordering.STRICT,
        1 + random.nextInt(3),
        seconds(0, 0, 0, 30),
        AdminState.ENABLED);
  }

  private ScenarioEvent event(long at) {
    int choice = random.nextInt(kind == Kind.WILD ? 12 : 9);
    if (choice >= 9 && choice < 11) {
      int i = random.nextInt(shares.size());
      QuotaShare changed = share(shares.get(i).key().share());
      shares.set(i, changed);
      return new ScenarioEvent.SetShare(at, changed, random.nextInt(3) == 0);
    }
    if (choice == 11) {
      String node = nodes.get(random.nextInt(nodes.size())).name();
      return new ScenarioEvent.SetNode(at, node, pick(NodeState.values()));
    }
    if (choice < 6 || jobs.isEmpty()) {
      return new ScenarioEvent.Submit(at, job());
    }
    JobKey job = jobs.get(random.nextInt(jobs.size())).key();
    return choice < 8
        ? new ScenarioEvent.SetPriority(at, job, random.nextInt(5))
        : new ScenarioEvent.Cancel(at, job);
  }

  private VirtualJob job() {
    int width = 1 + random.nextInt(4);
    Shape shape =
        kind != Kind.ENTITLED && random.nextInt(5) == 0
            ? new Shape(1 + random.nextInt(2), width)
            : new Shape(1, width);
    JobSpec spec =
        new JobSpec(
            shares.get(random.nextInt(shares.size())).key().share(),
            "",
            shape,
            UNIT,
            Launch.NOTHING,
            new TreeMap<>(),
            random.nextInt(5) == 0 ? OptionalLong.of(seconds(60, 200)) : OptionalLong.empty(),
            seconds(0, 10, 60),
            new JobSpec.LostAfter.Default(),
            random.nextInt(3) == 0 ? OptionalLong.of(seconds(20, 45)) : OptionalLong.empty(),
            random.nextInt(3) == 0,
            0,
            new RetryOn.Any(),
            random.nextInt(5) == 0 ? OptionalInt.of(random.nextInt(3)) : OptionalInt.empty(),
            random.nextInt(5) == 0 ? BorrowMode.NEVER : BorrowMode.ALLOWED,
            random.nextInt(5) == 0);
    JobKey key = new JobKey("q", String.format("j%02d", jobs.size()));
    VirtualJob job =
        new VirtualJob(
            key, spec, random.nextInt(5), OptionalLong.of(seconds(0, 30, 100, 300, 1000)));
    jobs.add(job);
    return job;
  }

  private long seconds(int... choice) {
    return choice[random.nextInt(choice.length)] * 1000L;
  }

  private <T> T pick(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
