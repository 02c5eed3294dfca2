package io.quotashare.core.replay;

import static io.quotashare.core.replay.InvariantChecker.require;

import io.quotashare.core.Scheduler;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Hold;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.WaitingReason;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What must hold when nothing is left to decide: nobody who could start waits (quota-semantics 3a
 * and 3c), every reason is there and fits, and a front job within its limit does not wait longer
 * than it takes to stop somebody (I6).
 */
final class RestInvariants {
  private static final Comparator<Job> LINE =
      Comparator.comparingInt(Job::priority).reversed().thenComparingLong(Job::sequence);

  private final Map<JobKey, Long> entitledSince = new HashMap<>();
  private final long mostWaitMillis;

  /**
   * @param mostWaitMillis how long a front job within its limit may wait (I6); {@link
   *     Long#MAX_VALUE} where nothing is promised
   */
  RestInvariants(long mostWaitMillis) {
    this.mostWaitMillis = mostWaitMillis;
  }

  void check(Scheduler scheduler, Collection<Plan> plans, Collection<Hold> holds, long nowMillis) {
    Map<PoolKey, Ledgers> pools = Ledgers.read(scheduler, plans);
    Set<JobKey> planned = plans.stream().map(Plan::beneficiary).collect(Collectors.toSet());
    checkReasons(scheduler, planned);
    Map<JobKey, Long> stillEntitled = new HashMap<>();
    for (Ledgers ledgers : pools.values()) {
      boolean free =
          plans.stream().noneMatch(plan -> plan.pool().equals(ledgers.pool))
              && holds.stream().noneMatch(hold -> hold.pool().equals(ledgers.pool));
      for (QuotaShare share : scheduler.shares(ledgers.pool.queue())) {
        Optional<Job> front = front(scheduler, ledgers.pool, share.key());
        boolean enabled = share.state() == AdminState.ENABLED && isEnabled(scheduler, share);
        if (front.isPresent() && enabled) {
          if (free && front.get().state().isWaiting()) {
            checkCouldNotStart(ledgers, share, front.get());
          }
          checkWait(ledgers, front.get(), planned, stillEntitled, nowMillis);
        }
      }
    }
    entitledSince.keySet().retainAll(stillEntitled.keySet());
    entitledSince.putAll(stillEntitled);
  }

  private static boolean isEnabled(Scheduler scheduler, QuotaShare share) {
    return scheduler.queues().stream()
        .filter(queue -> queue.name().equals(share.key().queue()))
        .allMatch(queue -> queue.state() == AdminState.ENABLED);
  }

  private static Optional<Job> front(Scheduler scheduler, PoolKey pool, ShareKey share) {
    return scheduler.jobs().stream()
        .filter(job -> job.pool().equals(pool) && job.share().equals(share))
        .filter(job -> job.state().isWaiting() || job.state() == JobState.PREEMPTING)
        .filter(job -> job.waiting() == null || !job.waiting().reason().isPermanent())
        .min(LINE);
  }

  private static void checkReasons(Scheduler scheduler, Set<JobKey> planned) {
    for (Job job : scheduler.jobs()) {
      if (job.state().isWaiting()) {
        require(job.waiting() != null, "%s waits without a reason", job.key());
        boolean preempts = job.waiting().reason() == WaitingReason.WAITING_FOR_PREEMPTION;
        require(
            preempts == planned.contains(job.key()) || job.waiting().reason().isPermanent(),
            "%s waits: %s; plans are for %s",
            job.key(),
            job.waiting(),
            planned);
      }
    }
  }

  /** 3a and 3c, where neither plans nor holds set devices aside. */
  private static void checkCouldNotStart(Ledgers ledgers, QuotaShare share, Job job) {
    if (!isPlaceable(ledgers, job)) {
      return;
    }
    Map<ShareKey, Integer> planned = Ledgers.with(ledgers.planned, job);
    Map<ShareKey, Integer> held = Ledgers.with(ledgers.held, job);
    boolean own = ledgers.above(planned, share.key()) == 0 && ledgers.above(held, share.key()) == 0;
    boolean ownCovered =
        ledgers.missing(planned) <= ledgers.missing(ledgers.planned)
            && ledgers.missing(held) <= ledgers.missing(ledgers.held);
    require(
        !own || !ownCovered,
        "3a: %s is within its limit, fits and is covered, and waits: %s",
        job.key(),
        job.waiting());
    boolean mayBorrow =
        share.strategy().borrows()
            && !VictimInvariants.neverBorrows(job)
            && planned.get(share.key()) <= ledgers.mostOf(share.key())
            && held.get(share.key()) <= ledgers.mostOf(share.key())
            && !ledgers.ownerWaitsForMinRuntime;
    boolean covered = ledgers.missing(planned) == 0 && ledgers.missing(held) == 0;
    require(
        !mayBorrow || !covered,
        "3c: %s may borrow, fits and is covered, and waits: %s",
        job.key(),
        job.waiting());
  }

  private static boolean isPlaceable(Ledgers ledgers, Job job) {
    int perNode = job.spec().shape().gpusPerNode();
    long nodes = ledgers.free.values().stream().filter(free -> free >= perNode).count();
    return nodes >= job.spec().shape().nodes();
  }

  private void checkWait(
      Ledgers ledgers,
      Job front,
      Set<JobKey> planned,
      Map<JobKey, Long> stillEntitled,
      long nowMillis) {
    int used = ledgers.planned.getOrDefault(front.share(), 0);
    int mine = planned.contains(front.key()) ? front.gpus() : 0;
    boolean within = used - mine + front.gpus() <= ledgers.capacity(front.share());
    boolean promised = ledgers.owned() <= ledgers.existing && !ledgers.nodesLeave;
    if (within && promised) {
      long since = entitledSince.getOrDefault(front.key(), nowMillis);
      stillEntitled.put(front.key(), since);
      require(
          mostWaitMillis == Long.MAX_VALUE || nowMillis - since <= mostWaitMillis,
          "I6: %s is at the front and within its limit for %s ms: %s",
          front.key(),
          nowMillis - since,
          front.waiting());
    }
  }
}
