package io.quotashare.core.replay;

import io.quotashare.core.Batch;
import io.quotashare.core.Change;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Hold;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks the invariants of quota-semantics 10 after every step of a replay, from what the scheduler
 * lets everybody read and by rules written down here a second time. Throws {@link AssertionError}.
 */
public final class InvariantChecker implements ReplayObserver {
  private final DeviceInvariants devices = new DeviceInvariants();
  private final LedgerInvariants ledger = new LedgerInvariants();
  private final VictimInvariants victims = new VictimInvariants();
  private final JobInvariants jobs = new JobInvariants();
  private final MeterInvariants meters = new MeterInvariants();
  private final RestInvariants rest;
  private final Map<Long, Plan> plans = new TreeMap<>();
  private final Map<PoolKey, Hold> holds = new TreeMap<>();

  /** Everything but how long somebody may wait. */
  public InvariantChecker() {
    this(Long.MAX_VALUE);
  }

  /**
   * @param mostWaitMillis how long a front job within its limit may wait for devices (I6)
   */
  public InvariantChecker(long mostWaitMillis) {
    this.rest = new RestInvariants(mostWaitMillis);
  }

  @Override
  public void afterStep(Scheduler scheduler, Batch step, long nowMillis) {
    List<Plan> plansBefore = List.copyOf(plans.values());
    step.changes().forEach(this::note);
    at(
        nowMillis,
        () -> {
          devices.check(scheduler);
          ledger.check(scheduler, step, plansBefore, plans.values());
          victims.check(scheduler, step, plansBefore, plans.values());
          jobs.check(scheduler, step, nowMillis);
          meters.check(scheduler, nowMillis);
        });
  }

  @Override
  public void atRest(Scheduler scheduler, long nowMillis) {
    at(nowMillis, () -> rest.check(scheduler, plans.values(), holds.values(), nowMillis));
  }

  private void note(Change change) {
    if (change instanceof Change.PlanPut put) {
      plans.put(put.plan().id(), put.plan());
    } else if (change instanceof Change.PlanRemoved removed) {
      plans.remove(removed.planId());
    } else if (change instanceof Change.HoldPut put) {
      holds.put(put.hold().pool(), put.hold());
    } else if (change instanceof Change.HoldRemoved removed) {
      holds.remove(removed.pool());
    }
  }

  private static void at(long nowMillis, Runnable checks) {
    try {
      checks.run();
    } catch (AssertionError e) {
      double seconds = (nowMillis - Replay.EPOCH_MILLIS) / 1000.0;
      throw new AssertionError("at " + seconds + " s: " + e.getMessage(), e);
    }
  }

  static void require(boolean holds, String format, Object... args) {
    if (!holds) {
      throw new AssertionError(String.format(format, args));
    }
  }
}
