package io.quotashare.core.replay;

import static io.quotashare.core.replay.InvariantChecker.require;

import io.quotashare.core.Batch;
import io.quotashare.core.Change;
import io.quotashare.core.JobEvent;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Stop;
import io.quotashare.core.model.StopCause;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whom a decision may stop: a share only while it is above its limit (quota-semantics 4.2), own
 * attempts only of strictly lower priority (5.1), and at least one for every plan that says so.
 */
final class VictimInvariants {
  private Map<PoolKey, Ledgers> before = new TreeMap<>();

  void check(
      Scheduler scheduler, Batch step, Collection<Plan> plansBefore, Collection<Plan> plans) {
    Map<PoolKey, Map<ShareKey, List<Integer>>> reclaimed = new TreeMap<>();
    for (JobEvent event : step.events()) {
      if (event.type() == JobEvent.Type.PREEMPTING) {
        checkVictim(scheduler, event, reclaimed);
        checkWasNotJustStarted(step, event, plansBefore);
      }
    }
    reclaimed.forEach((pool, byShare) -> checkReclaim(step, pool, byShare));
    checkNever(scheduler, step);
    before = Ledgers.read(scheduler, plans);
  }

  /**
   * A share does not start a job only to stop it for another of its own in the same decision. What
   * a plan was waiting for is its due, and whom a reclaim takes is not the share's choice.
   */
  private static void checkWasNotJustStarted(
      Batch step, JobEvent victim, Collection<Plan> plansBefore) {
    boolean started =
        step.events().stream()
            .anyMatch(
                event ->
                    event.type() == JobEvent.Type.STARTED
                        && event.job().newestAttempt().equals(victim.job().newestAttempt()));
    boolean planned =
        plansBefore.stream().anyMatch(plan -> plan.beneficiary().equals(victim.job().key()));
    require(
        !started || planned || victim.attempt().stop().cause() != StopCause.IN_SHARE,
        "I7: %s is started and stopped for its own share by one decision",
        victim.job().key());
  }

  private static void checkVictim(
      Scheduler scheduler, JobEvent event, Map<PoolKey, Map<ShareKey, List<Integer>>> reclaimed) {
    Job victim = event.job();
    Attempt attempt = event.attempt();
    Stop stop = attempt.stop();
    if (stop.beneficiary() == null) {
      return;
    }
    Job beneficiary = scheduler.job(stop.beneficiary()).orElseThrow();
    require(
        beneficiary.pool().equals(victim.pool()),
        "4.2: %s is stopped for %s of another pool",
        victim.key(),
        beneficiary.key());
    boolean sameShare = beneficiary.share().equals(victim.share());
    require(
        sameShare == (stop.cause() == StopCause.IN_SHARE),
        "%s is stopped for %s by %s",
        victim.key(),
        beneficiary.key(),
        stop.cause());
    if (sameShare) {
      require(
          victim.priority() < beneficiary.priority(),
          "5.1: %s of priority %s is stopped for %s of priority %s",
          victim.key(),
          victim.priority(),
          beneficiary.key(),
          beneficiary.priority());
    } else {
      reclaimed
          .computeIfAbsent(victim.pool(), pool -> new TreeMap<>())
          .computeIfAbsent(victim.share(), share -> new ArrayList<>())
          .add(attempt.gpus());
    }
  }

  /** Largest last, every one is taken while the share is still above its limit. */
  private void checkReclaim(Batch step, PoolKey pool, Map<ShareKey, List<Integer>> byShare) {
    Ledgers old = before.get(pool);
    byShare.forEach(
        (share, victims) -> {
          victims.sort(null);
          int above = old.above(old.planned, share) + startedAbove(step, share);
          for (int gpus : victims) {
            require(
                above > 0, "4.2: %s loses %s devices and is not above its limit", share, victims);
            above -= gpus;
          }
        });
  }

  /** Jobs that never borrow are left alone while together they are within the limit (4.2). */
  private static void checkNever(Scheduler scheduler, Batch step) {
    Map<ShareKey, Integer> firm = new TreeMap<>();
    for (Attempt attempt : scheduler.liveAttempts()) {
      Job job = scheduler.job(attempt.key().job()).orElseThrow();
      boolean counts = attempt.isPlanned() || isReclaimed(step, attempt);
      firm.merge(attempt.share(), counts && neverBorrows(job) ? attempt.gpus() : 0, Integer::sum);
    }
    for (JobEvent event : step.events()) {
      if (event.type() == JobEvent.Type.PREEMPTING
          && event.attempt().stop().cause() == StopCause.RECLAIM
          && neverBorrows(event.job())) {
        ShareKey share = event.job().share();
        int capacity = scheduler.share(share).orElseThrow().capacity(event.job().spec().unit());
        require(
            firm.getOrDefault(share, 0) > capacity,
            "4.2: %s never borrows, and those of its share are within the limit",
            event.job().key());
      }
    }
  }

  private static boolean isReclaimed(Batch step, Attempt attempt) {
    return step.events().stream()
        .anyMatch(
            event ->
                event.type() == JobEvent.Type.PREEMPTING
                    && event.job().newestAttempt().equals(attempt.key()));
  }

  /** What a share got in the same step before it was made to give something back. */
  private static int startedAbove(Batch step, ShareKey share) {
    int gpus = 0;
    for (JobEvent event : step.events()) {
      boolean started = event.type() == JobEvent.Type.STARTED && event.job().share().equals(share);
      gpus += started ? event.job().gpus() : 0;
    }
    for (Change change : step.changes()) {
      if (change instanceof Change.PlanPut put && put.plan().share().equals(share)) {
        gpus += put.plan().gpus();
      }
    }
    return gpus;
  }

  /** Whether a job would rather wait than borrow. */
  static boolean neverBorrows(Job job) {
    return job.spec().borrow() == BorrowMode.NEVER;
  }
}
