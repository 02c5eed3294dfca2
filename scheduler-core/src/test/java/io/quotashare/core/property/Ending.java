package io.quotashare.core.property;

import static io.quotashare.core.property.Violation.unless;

import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.WaitingReason;
import java.util.List;
import java.util.Optional;

/**
 * Faults heal, everybody may start, and whatever runs ends well: then every job that can run does,
 * and nothing is left (V5, I5, I6).
 */
final class Ending {
  /** Longer than any minRuntime and any grace of a sequence. */
  private static final long ROUND_MILLIS = 600_000;

  private static final int MAX_ROUNDS = 200;

  private final World world;
  private final Mirror rows;

  Ending(World world) {
    this.world = world;
    this.rows = world.invariants().rows();
  }

  void run() {
    heal();
    runAll();
    for (Optional<Job> stuck = firstStuck(); stuck.isPresent(); stuck = firstStuck()) {
      world.cancel(stuck.get().key().id());
      runAll();
    }
    judgeNothingLeft();
  }

  /** Lets everything run that starts by itself. */
  private void runAll() {
    int rounds = 0;
    while (!rows.live.isEmpty() || !rows.plans.isEmpty()) {
      unless(++rounds < MAX_ROUNDS, "V5", "still running: %s", rows.live.keySet());
      world.advance(ROUND_MILLIS);
      unless(world.in(JobState.UNKNOWN).isEmpty(), "V5", "silent: %s", world.in(JobState.UNKNOWN));
      judgePlans();
      for (String id : world.running()) {
        world.exit(id, 0);
      }
    }
  }

  /** A job that waits though nothing runs any more: a front job, or one that is passed over. */
  private Optional<Job> firstStuck() {
    List<Job> waiting =
        rows.jobs.values().stream().filter(job -> !job.state().isTerminal()).toList();
    waiting.forEach(this::judgeWaiting);
    return waiting.stream()
        .filter(job -> job.waiting().reason() != WaitingReason.BEHIND_FRONT_JOB)
        .findFirst();
  }

  private void heal() {
    world.recovering(false);
    for (Node node : List.copyOf(rows.nodes.values())) {
      NodeSketch whole = world.wholeNodes().get(node.name());
      if (whole != null) {
        world.register(whole);
      }
      world.heard(node.name());
      world.order(node.name(), Node.Order.OPEN);
    }
    for (Queue queue : List.copyOf(rows.queues.values())) {
      world.putQueue(enabled(queue));
    }
    for (QuotaShare share : List.copyOf(rows.shares.values())) {
      world.putShare(enabled(share));
    }
    for (Job job : List.copyOf(rows.jobs.values())) {
      if (!job.state().isTerminal()) {
        world.release(job.key().id());
        world.stopNow(job.key().id());
      }
    }
  }

  /** Whoever was told to stop has stopped, so plans are served. */
  private void judgePlans() {
    for (String id : world.in(JobState.PREEMPTING, JobState.STOPPING)) {
      world.stopNow(id);
    }
    unless(rows.plans.isEmpty(), "I6", "not served: %s", rows.plans.values());
  }

  /** Nothing runs any more: who still waits can never run, or owns what does not exist. */
  private void judgeWaiting(Job job) {
    WaitingReason reason = job.waiting().reason();
    Facts facts = Facts.of(rows, new PoolKey(job.key().queue(), job.spec().unit()));
    boolean overcommitted = facts.sumCapacity() > facts.exists;
    unless(
        reason.isPermanent()
            || (reason == WaitingReason.WAITING_FOR_NODES && facts.total == 0)
            || (reason == WaitingReason.NOTHING_TO_BORROW && overcommitted)
            || isBehind(job, reason)
            || isTooSmall(facts, job),
        "V5",
        "%s never starts: %s",
        job.key(),
        job.waiting());
  }

  private boolean isBehind(Job job, WaitingReason reason) {
    return reason == WaitingReason.BEHIND_FRONT_JOB
        && Rules.front(rows, job.pool(), job.share())
            .filter(front -> front.sequence() != job.sequence())
            .isPresent();
  }

  /** Devices that are broken or in use by others count for what is possible, not for a start. */
  private static boolean isTooSmall(Facts facts, Job job) {
    long large =
        facts.places.values().stream()
            .filter(p -> p.free >= job.spec().shape().gpusPerNode())
            .count();
    return large < job.spec().shape().nodes();
  }

  private void judgeNothingLeft() {
    unless(rows.live.isEmpty() && rows.plans.isEmpty(), "I5", "left: %s", rows.live.keySet());
    unless(rows.holds.isEmpty(), "3e", "left: %s", rows.holds);
    unless(
        rows.shares.values().stream().noneMatch(share -> share.state().isLeaving())
            && rows.queues.values().stream().noneMatch(queue -> queue.state().isLeaving()),
        "9.3",
        "still on their way out: %s, %s",
        rows.shares.values(),
        rows.queues.values());
    rows.jobs.values().forEach(j -> unless(j.state().isTerminal(), "I5", "left: %s", j.key()));
    for (PoolKey pool : rows.pools()) {
      if (rows.queues.containsKey(pool.queue())) {
        Facts facts = Facts.of(rows, pool);
        unless(facts.planned().sum() + facts.held().sum() == 0, "I5", "%s is charged", pool);
      }
    }
  }

  private static Queue enabled(Queue queue) {
    return new Queue(
        queue.name(),
        AdminState.ENABLED,
        queue.nodeSelector(),
        queue.idleAssignment(),
        queue.unassigned(),
        queue.maxGraceMillis(),
        queue.lostWorkCapMillis(),
        queue.restartCostMillis(),
        queue.stateTimeLimits(),
        queue.preemptionMode());
  }

  private static QuotaShare enabled(QuotaShare share) {
    return new QuotaShare(
        share.key(),
        share.capacity(),
        share.strategy(),
        share.borrowLimit(),
        share.lendLimit(),
        share.inSharePreemption(),
        share.ordering(),
        share.weight(),
        share.minRuntimeMillis(),
        AdminState.ENABLED);
  }
}
