package io.quotashare.core.property;

import io.quotashare.core.model.Node;
import io.quotashare.core.model.WaitingReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes random sequences: small pools, many conflicts. The same seed, the same sequence. */
final class Sequences {
  private static final long[] TIMES = {1, 1_000, 1_000, 10_000, 30_000, 60_000, 300_000};
  private static final long[] DELAYS = {0, 0, 0, 1, 1_000, 5_000, 30_000};
  private static final String[] UNITS = {"H100", "A10"};

  private final Random random;
  private final List<String> queues = new ArrayList<>();
  private final List<String> shares = new ArrayList<>();
  private final List<String> shareQueues = new ArrayList<>();
  private final List<String> nodes = new ArrayList<>();
  private final List<String> jobs = new ArrayList<>();
  private final int units;
  private final int largestNode;
  private int newJobs;

  private Sequences(long seed) {
    this.random = new Random(seed);
    this.units = chance(25) ? 2 : 1;
    this.largestNode = 1 + random.nextInt(8);
  }

  /** A sequence of up to so many steps. */
  static Sequence random(long seed, int maxSteps) {
    Sequences sequences = new Sequences(seed);
    Setup setup = sequences.setup();
    List<Step> steps = new ArrayList<>();
    int count = 5 + sequences.random.nextInt(maxSteps);
    for (int i = 0; i < count; i++) {
      steps.add(sequences.step());
    }
    return new Sequence(seed, setup, steps);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private int oneOf(int... values) {
    return values[random.nextInt(values.length)];
  }

  private long oneOf(long[] values) {
    return values[random.nextInt(values.length)];
  }

  private String unit() {
    return UNITS[random.nextInt(units)];
  }

  // Setup

  private Setup setup() {
    List<QueueSketch> queueSketches = new ArrayList<>();
    int queueCount = chance(15) ? 2 : 1;
    for (int i = 0; i < queueCount; i++) {
      queues.add(i == 0 ? "q" : "q2");
      queueSketches.add(queue(i));
    }
    List<ShareSketch> shareSketches = new ArrayList<>();
    int shareCount = 1 + random.nextInt(6);
    for (int i = 0; i < shareCount; i++) {
      shares.add("s" + i);
      shareQueues.add(queues.get(i % queueCount));
      shareSketches.add(share(i));
    }
    List<NodeSketch> nodeSketches = new ArrayList<>();
    int nodeCount = chance(70) ? 1 + random.nextInt(4) : 1 + random.nextInt(12);
    for (int i = 0; i < nodeCount; i++) {
      nodes.add("n" + i);
      nodeSketches.add(node(i, true));
    }
    return new Setup(queueSketches, shareSketches, nodeSketches);
  }

  private QueueSketch queue(int index) {
    QueueSketch queue = QueueSketch.queue(queues.get(index));
    if (index == 1) {
      queue.pool("two");
    }
    if (chance(30)) {
      queue.fair();
    }
    if (chance(30)) {
      queue.keepsUnassigned();
    }
    if (chance(30)) {
      queue.maxGrace(oneOf(0, 10_000, 30_000));
    }
    if (chance(20)) {
      queue.restartCost(oneOf(0, 1_000));
    }
    if (chance(10)) {
      queue.lostWorkCap(oneOf(0, 60_000));
    }
    if (chance(20)) {
      queue.observesOnly();
    }
    if (chance(10)) {
      WaitingReason[] reasons = WaitingReason.values();
      queue.limit(reasons[random.nextInt(reasons.length)], oneOf(1, 60_000));
    }
    return queue;
  }

  private ShareSketch share(int index) {
    ShareSketch share = ShareSketch.share(shares.get(index));
    if (!shareQueues.get(index).equals("q")) {
      share.queue(shareQueues.get(index));
    }
    for (int i = 0; i < units; i++) {
      if (chance(85)) {
        share.owns(UNITS[i], random.nextInt(9));
      }
    }
    int strategy = random.nextInt(10);
    if (strategy < 2) {
      share.reserve();
    } else if (strategy < 4) {
      share.lend();
    } else if (chance(30)) {
      share.borrowPercent(oneOf(0, 50, 100, 200));
    } else if (chance(20)) {
      share.borrows(unit(), random.nextInt(5));
    }
    if (strategy >= 2 && chance(20)) {
      share.lendPercent(oneOf(0, 50));
    } else if (strategy >= 2 && chance(10)) {
      share.lends(unit(), random.nextInt(4));
    }
    if (chance(50)) {
      share.inShare();
    }
    if (chance(20)) {
      share.backfill();
    }
    if (chance(20)) {
      share.weight(1 + random.nextInt(3));
    }
    if (chance(15)) {
      share.minRuntime(oneOf(1, 30_000, 60_000, 300_000));
    }
    return share;
  }

  private NodeSketch node(int index, boolean whole) {
    NodeSketch node = NodeSketch.node(nodes.get(index));
    int size = chance(60) ? largestNode : 1 + random.nextInt(8);
    for (int i = 0; i < units; i++) {
      if (units == 1 || chance(70)) {
        node.has(size, UNITS[i]);
      }
    }
    if (queues.size() == 2 && index % 2 == 1) {
      node.pool("two");
    }
    if (!whole && chance(50)) {
      node.broken(random.nextInt(size));
    }
    if (!whole && chance(30)) {
      node.outside(random.nextInt(size));
    }
    return node;
  }

  // Steps

  private Step step() {
    if (jobs.isEmpty() || chance(33)) {
      return submit();
    }
    if (chance(6)) {
      List<Step> steps = new ArrayList<>();
      int count = 2 + random.nextInt(4);
      for (int i = 0; i < count; i++) {
        steps.add(single());
      }
      return Step.together(steps);
    }
    return single();
  }

  private Step single() {
    int kind = random.nextInt(100);
    if (kind < 20) {
      return submit();
    } else if (kind < 42) {
      return Step.advance(oneOf(TIMES));
    } else if (kind < 56) {
      return exit();
    } else if (kind < 76) {
      return onJob();
    } else if (kind < 84) {
      return policy();
    } else if (kind < 97) {
      return onNode();
    }
    return chance(80) ? Step.restore() : Step.recovering(chance(30));
  }

  private Step submit() {
    int index = random.nextInt(shares.size());
    String id = "j" + ++newJobs;
    jobs.add(id);
    JobSketch job = JobSketch.job(id, shares.get(index));
    if (!shareQueues.get(index).equals("q")) {
      job.queue(shareQueues.get(index));
    }
    String unit = unit();
    if (!unit.equals("H100")) {
      job.unit(unit);
    }
    job.gpus(1 + random.nextInt(chance(50) ? Math.min(2, largestNode) : largestNode));
    if (chance(20)) {
      job.nodes(2 + random.nextInt(2));
    }
    job.priority(oneOf(0, 0, 1, 2, 5, 9999));
    limits(job);
    habits(job);
    return Step.submit(job);
  }

  private void limits(JobSketch job) {
    if (chance(15)) {
      job.neverBorrows();
    }
    if (chance(15)) {
      job.budget(random.nextInt(3));
    }
    if (chance(30)) {
      job.grace(oneOf(0, 1_000, 10_000, 300_000));
    }
    if (chance(20)) {
      job.retries(1 + random.nextInt(2));
    }
    if (chance(20)) {
      job.timeLimit(oneOf(1_000, 60_000, 600_000));
    }
    if (chance(15)) {
      job.allowInfeasible();
    }
  }

  private void habits(JobSketch job) {
    if (chance(30)) {
      job.saves(chance(20) ? JobSketch.NEVER : oneOf(DELAYS));
    }
    if (chance(50)) {
      job.starts(oneOf(DELAYS));
    }
    if (chance(60)) {
      job.stops(chance(30) ? JobSketch.NEVER : oneOf(DELAYS));
    }
    if (chance(20)) {
      job.stagger(oneOf(1, 1_000));
    }
    if (chance(4)) {
      job.stubborn();
    }
  }

  private String job() {
    int recent = Math.min(jobs.size(), 12);
    return chance(70)
        ? jobs.get(jobs.size() - 1 - random.nextInt(recent))
        : jobs.get(random.nextInt(jobs.size()));
  }

  private Step exit() {
    String id = job();
    if (chance(80)) {
      jobs.remove(id);
    }
    if (jobs.isEmpty()) {
      jobs.add(id);
    }
    return Step.exit(id, chance(75) ? 0 : 1, chance(70) ? 0 : oneOf(DELAYS));
  }

  private Step onJob() {
    String id = job();
    return switch (random.nextInt(17)) {
      case 0, 1, 2 -> Step.setPriority(id, oneOf(0, 1, 2, 5, 9999));
      case 3, 4 -> Step.cancel(id);
      case 5 -> Step.hold(id);
      case 6 -> Step.release(id);
      case 7, 8 -> Step.checkpoint(id);
      case 9 -> Step.sayDone(id);
      case 10, 11 -> Step.stopNow(id);
      case 12 -> Step.repeat(id);
      case 13 -> Step.requeue(id, chance(30));
      case 14 -> Step.askToSave(id);
      case 15 -> Step.exitRank(id, random.nextInt(3), oneOf(0, 1));
      default -> Step.failStart(id);
    };
  }

  private Step policy() {
    if (chance(12)) {
      int index = random.nextInt(shares.size());
      return Step.removeShare(shareQueues.get(index), shares.get(index));
    }
    if (chance(4)) {
      return Step.prune(queue(random.nextInt(queues.size())), random.nextInt(shares.size()));
    }
    if (chance(20)) {
      QueueSketch queue = queue(random.nextInt(queues.size()));
      return Step.putQueue(chance(15) ? queue.disabled() : queue);
    }
    ShareSketch share = share(random.nextInt(shares.size()));
    if (chance(10)) {
      share.disabled();
    }
    return chance(25) ? Step.putShareAndDrain(share) : Step.putShare(share);
  }

  private Step onNode() {
    int index = random.nextInt(nodes.size());
    String name = nodes.get(index);
    return switch (random.nextInt(16)) {
      case 0, 1 -> Step.order(name, Node.Order.CORDONED);
      case 2 -> Step.order(name, Node.Order.DRAINING);
      case 3, 4, 5 -> Step.order(name, Node.Order.OPEN);
      case 6, 7 -> Step.silent(name);
      case 8, 9 -> Step.heard(name);
      case 10 -> Step.lost(name);
      case 11 -> Step.attemptLost(job(), name);
      case 12 -> Step.update(node(index, chance(50)));
      case 13 -> Step.registerAnew(node(index, true));
      case 14 -> Step.register(relabeled(node(index, true)));
      default -> Step.register(node(index, chance(70)));
    };
  }

  private NodeSketch relabeled(NodeSketch node) {
    if (chance(30)) {
      node.pool(chance(50) ? "two" : "other");
    }
    return chance(30) ? node.boot(2) : node;
  }
}
