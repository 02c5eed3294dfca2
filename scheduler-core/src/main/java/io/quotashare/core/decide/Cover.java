package io.quotashare.core.decide;

import io.quotashare.core.ledger.Ledger;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.state.Pool;
import java.util.Map;

/**
 * Whether limits and cover allow a start, in both ledgers (quota-semantics 1 and invariants I3 and
 * I4).
 */
final class Cover {
  private Cover() {}

  /**
   * Whether a job may be charged now, in both ledgers. A start that borrows as planned leaves
   * nothing missing in either. One within its limit as planned may be above it as held, while
   * victims of its own share leave: then the borrow limit bounds it there, and nothing may be
   * missing there.
   */
  static boolean allowsNow(Pool pool, Job job, boolean mayBorrow) {
    boolean within = pool.planned().withinLimit(job.share(), job.gpus());
    int toleratedHeld = within ? pool.held().missing() : 0;
    return allows(pool.planned(), job, mayBorrow, pool.planned().missing())
        && allows(pool.held(), job, mayBorrow || within, toleratedHeld);
  }

  private static boolean allows(Ledger ledger, Job job, boolean mayBorrow, int tolerated) {
    return ledger.allows(job.share(), job.gpus(), Map.of(), mayBorrow, tolerated, 0);
  }

  /** Whether a job may be charged as planned once others were taken. */
  static boolean allowsAfter(Pool pool, Job job, Map<ShareKey, Integer> taken, boolean mayBorrow) {
    return allowsAfter(pool, job, taken, mayBorrow, 0);
  }

  /** The same if some of the devices of those who are taken leave the pool with them. */
  static boolean allowsAfter(
      Pool pool, Job job, Map<ShareKey, Integer> taken, boolean mayBorrow, int departing) {
    Ledger planned = pool.planned();
    return planned.allows(job.share(), job.gpus(), taken, mayBorrow, planned.missing(), -departing);
  }

  /**
   * Whether the beneficiary of a plan, which is charged as planned already, may be charged as held.
   */
  static boolean allowsStartOf(Pool pool, Plan plan) {
    boolean within = pool.planned().withinLimit(plan.share(), 0);
    int tolerated = within ? Math.max(plan.missingHeld(), pool.held().missing()) : 0;
    return pool.held().allows(plan.share(), plan.gpus(), Map.of(), true, tolerated, 0);
  }
}
