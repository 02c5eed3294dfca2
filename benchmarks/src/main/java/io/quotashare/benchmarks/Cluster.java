package io.quotashare.benchmarks;

import io.quotashare.core.Batch;
import io.quotashare.core.NodeReport;
import io.quotashare.core.PartReport;
import io.quotashare.core.Policy;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.IdleAssignment;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Launch;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.PartPhase;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.Progress;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Strategy;
import io.quotashare.core.model.Unassigned;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A queue of equal nodes whose devices its shares own in equal parts, and a scheduler for it. Its
 * clock stands still unless it is moved.
 */
final class Cluster {
  static final String QUEUE = "research";
  static final String UNIT = "H100";
  private static final long EPOCH_MILLIS = 1_700_000_000_000L;

  /**
   * How large.
   *
   * @param nodes nodes, 1 or more
   * @param devicesPerNode devices on each
   * @param shares shares, 1 or more
   * @param firstOwns devices that the first share owns; the others own the rest in equal parts, and
   *     what does not divide evenly is unassigned
   */
  record Size(int nodes, int devicesPerNode, int shares, int firstOwns) {
    /** All shares own the same. */
    static Size even(int nodes, int devicesPerNode, int shares) {
      return new Size(nodes, devicesPerNode, shares, nodes * devicesPerNode / shares);
    }

    int devices() {
      return nodes * devicesPerNode;
    }

    private int owns(int share) {
      return share == 0 ? firstOwns : (devices() - firstOwns) / (shares - 1);
    }
  }

  private final Size size;
  private final Scheduler scheduler = new Scheduler();
  private long nowMillis = EPOCH_MILLIS;
  private int nextJob;
  private Consumer<Batch> observer = batch -> {};

  /** A cluster whose shares lend and borrow without a limit; nothing runs, nobody waits. */
  Cluster(Size size) {
    this.size = size;
    scheduler.applyPolicy(policy(size), false, nowMillis);
    for (int n = 0; n < size.nodes(); n++) {
      scheduler.registerNode(node(n, size.devicesPerNode()), Set.of(), nowMillis);
    }
    decide();
  }

  private static Policy policy(Size size) {
    Queue queue =
        new Queue(
            QUEUE,
            AdminState.ENABLED,
            new TreeMap<>(),
            IdleAssignment.FIFO,
            Unassigned.BORROWABLE,
            Queue.DEFAULT_MAX_GRACE_MILLIS,
            Queue.DEFAULT_LOST_WORK_CAP_MILLIS,
            Queue.DEFAULT_RESTART_COST_MILLIS,
            List.of(),
            PreemptionMode.ENFORCE);
    List<QuotaShare> shares = new ArrayList<>();
    for (int s = 0; s < size.shares(); s++) {
      shares.add(
          new QuotaShare(
              new ShareKey(QUEUE, shareName(s)),
              new TreeMap<>(Map.of(UNIT, size.owns(s))),
              Strategy.LEND_AND_BORROW,
              new Limit.Percent(-1),
              new Limit.Percent(100),
              true,
              Ordering.STRICT,
              1,
              0,
              AdminState.ENABLED));
    }
    return new Policy(List.of(new Policy.QueuePolicy(queue, shares)));
  }

  private static NodeReport node(int n, int devices) {
    String name = nodeName(n);
    List<Device> list = new ArrayList<>();
    for (int d = 0; d < devices; d++) {
      list.add(Device.healthy("GPU-" + name + "-" + d, d, UNIT));
    }
    TreeMap<String, String> labels = new TreeMap<>(Map.of("rack", "r" + n / 8));
    return new NodeReport(name, labels, list, Node.AgentInfo.NONE);
  }

  static String nodeName(int n) {
    return String.format("node-%05d", n);
  }

  static String shareName(int s) {
    return String.format("team-%04d", s);
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Size size() {
    return size;
  }

  long nowMillis() {
    return nowMillis;
  }

  /** Lets time pass. */
  void advance(long millis) {
    nowMillis += millis;
  }

  /** Submits a job. */
  JobKey submit(int share, Shape shape, int priority) {
    JobKey key = nextKey();
    scheduler.submit(key, spec(share, shape, nextJob), priority, nowMillis);
    return key;
  }

  /** Takes over a job of one node that has run for some time. */
  AttemptKey adopt(int share, int node, int devices, int priority, long ranMillis) {
    JobKey key = nextKey();
    scheduler.adoptRunning(
        key,
        spec(share, new Shape(1, devices), nextJob),
        priority,
        Map.of(nodeName(node), devices),
        nowMillis - ranMillis,
        OptionalLong.empty(),
        nowMillis);
    return new AttemptKey(key, 1);
  }

  private JobKey nextKey() {
    return new JobKey(copy(QUEUE), String.format("train-%08d", ++nextJob));
  }

  /** Strings that come by the wire are objects of their own, and count in the heap. */
  private static String copy(String text) {
    return new String(text.toCharArray());
  }

  private static JobSpec spec(int share, Shape shape, int n) {
    TreeMap<String, String> labels = new TreeMap<>();
    labels.put(copy("project"), "p" + n % 17);
    Launch launch =
        new Launch(
            List.of(copy("python"), copy("train.py"), "--seed=" + n),
            new TreeMap<>(Map.of(copy("RUN"), "run-" + n)),
            copy("/data/work"));
    return new JobSpec(
        shareName(share),
        "training " + n,
        new Shape(shape.nodes(), shape.gpusPerNode()),
        copy(UNIT),
        launch,
        labels,
        OptionalLong.empty(),
        JobSpec.DEFAULT_GRACE_MILLIS,
        new JobSpec.LostAfter.Default(),
        OptionalLong.empty(),
        false,
        0,
        new RetryOn.Any(),
        OptionalInt.empty(),
        BorrowMode.ALLOWED,
        false);
  }

  /** Decides until nothing is left to decide, and takes out what came of it. */
  Batch decide() {
    scheduler.decide(nowMillis);
    Batch batch = scheduler.drain();
    observer.accept(batch);
    return batch;
  }

  /** Shows every batch from now on. */
  void observe(Consumer<Batch> newObserver) {
    observer = newObserver;
  }

  /** Says that an attempt runs on all of its nodes. */
  void running(AttemptKey key) {
    report(key, PartPhase.RUNNING, 1, OptionalInt.empty());
  }

  /** Says that an attempt exited with 0 and that its devices are free. */
  void end(AttemptKey key) {
    report(key, PartPhase.FREE, 2, OptionalInt.of(0));
  }

  private void report(AttemptKey key, PartPhase phase, long version, OptionalInt exitCode) {
    Attempt attempt = scheduler.attempt(key).orElseThrow();
    for (Part part : attempt.parts()) {
      scheduler.report(
          new PartReport(
              key,
              part.rank(),
              version,
              phase,
              exitCode,
              OptionalInt.empty(),
              exitCode.isPresent(),
              "",
              Progress.NONE),
          nowMillis);
    }
  }
}
