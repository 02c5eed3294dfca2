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

  void check(Scheduler scheduler, Batch step, Collection<Plan> plans) {
    Map<PoolKey, Map<ShareKey, List<Integer>>> reclaimed = new TreeMap<>();
    for (JobEvent event : step.events()) {
      if (event.type() == JobEvent.Type.PREEMPTING) {
        checkVictim(scheduler, event, reclaimed);
      }
    }
    reclaimed.forEach((pool, byShare) -> checkReclaim(step, pool, byShare));
    before = Ledgers.read(scheduler, plans);
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
