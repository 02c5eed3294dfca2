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
        boolean enabled = share.state() == AdminState.ENABLED && isEnabled(scheduler, share);
        Optional<Job> front = front(scheduler, ledgers, share);
        if (enabled) {
          checkLine(scheduler, ledgers, share, front, planned);
        }
        if (front.isPresent() && enabled) {
          if (free && front.get().state().isWaiting()) {
            checkCouldNotStart(scheduler, ledgers, share, front.get());
          }
          checkWait(ledgers, front.get(), planned, stillEntitled, nowMillis);
        }
      }
    }
    entitledSince.keySet().retainAll(stillEntitled.keySet());
    entitledSince.putAll(stillEntitled);
  }

  /** The reasons of all that wait in a share and unit. */
  private static void checkLine(
      Scheduler scheduler,
      Ledgers ledgers,
      QuotaShare share,
      Optional<Job> front,
      Set<JobKey> planned) {
    for (Job job : scheduler.jobs()) {
      boolean here = job.pool().equals(ledgers.pool) && job.share().equals(share.key());
      if (!here || !job.state().isWaiting()) {
        continue;
      }
      ReasonInvariants.check(scheduler, ledgers, share, job);
      if (front.isPresent() && front.get().state() == JobState.PREEMPTING) {
        // It may have used up its budget, or be of no use to its share any more: then it is passed
        // over.
        continue;
      }
      boolean behind =
          !front.map(Job::key).equals(Optional.of(job.key()))
              && !planned.contains(job.key())
              && !job.waiting().reason().isPermanent();
      require(
          behind == (job.waiting().reason() == WaitingReason.BEHIND_FRONT_JOB)
              || planned.contains(front.map(Job::key).orElse(job.key())),
          "7: %s waits: %s, at the front is %s",
          job.key(),
          job.waiting(),
          front.map(Job::key));
    }
  }

  private static boolean isEnabled(Scheduler scheduler, QuotaShare share) {
    return scheduler.queues().stream()
        .filter(queue -> queue.name().equals(share.key().queue()))
        .allMatch(queue -> queue.state() == AdminState.ENABLED);
  }

  /** Victims stand in line too, unless their share could not run them any more (2.2, 2.4). */
  private static Optional<Job> front(Scheduler scheduler, Ledgers ledgers, QuotaShare share) {
    return scheduler.jobs().stream()
        .filter(job -> job.pool().equals(ledgers.pool) && job.share().equals(share.key()))
        .filter(job -> job.state().isWaiting() || job.state() == JobState.PREEMPTING)
        .filter(job -> job.waiting() == null || !job.waiting().reason().isPermanent())
        .filter(job -> ReasonInvariants.permanent(scheduler, ledgers, share, job).isEmpty())
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
  private static void checkCouldNotStart(
      Scheduler scheduler, Ledgers ledgers, QuotaShare share, Job job) {
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
        !mayBorrow || !covered || isTakenBack(scheduler, ledgers, job),
        "3c: %s may borrow, fits and is covered, and waits: %s",
        job.key(),
        job.waiting());
  }

  private static boolean isTakenBack(Scheduler scheduler, Ledgers ledgers, Job borrower) {
    LoanInvariants loans = new LoanInvariants(scheduler, ledgers);
    return scheduler.shares(ledgers.pool.queue()).stream()
        .filter(share -> share.state() == AdminState.ENABLED)
        .anyMatch(
            share ->
                front(scheduler, ledgers, share)
                    .filter(first -> loans.couldTakeBack(share, first, borrower))
                    .isPresent());
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
