package io.quotashare.core.replay;

import io.quotashare.core.Batch;
import io.quotashare.core.Scheduler;

/**
 * Checks the invariants of quota-semantics 10 after every step of a replay, from what the scheduler
 * lets everybody read and by rules written down here a second time. Throws {@link AssertionError}.
 */
public final class InvariantChecker implements ReplayObserver {
  private final DeviceInvariants devices = new DeviceInvariants();
  private final LedgerInvariants ledger = new LedgerInvariants();
  private final JobInvariants jobs = new JobInvariants();
  private final MeterInvariants meters = new MeterInvariants();
  private long steps;

  @Override
  public void afterStep(Scheduler scheduler, Batch step, long nowMillis) {
    steps++;
    try {
      devices.check(scheduler);
      ledger.check(scheduler, step);
      jobs.check(scheduler, step, nowMillis);
      meters.check(scheduler, nowMillis);
    } catch (AssertionError e) {
      double seconds = (nowMillis - Replay.EPOCH_MILLIS) / 1000.0;
      throw new AssertionError("at " + seconds + " s: " + e.getMessage(), e);
    }
  }

  /** How many steps were checked. */
  public long steps() {
    return steps;
  }

  static void require(boolean holds, String format, Object... args) {
    if (!holds) {
      throw new AssertionError(String.format(format, args));
    }
  }
}
