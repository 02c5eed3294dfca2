package io.quotashare.core.decide;

import io.quotashare.core.decide.DecisionPass.Tried;
import io.quotashare.core.ledger.Ledger;
import io.quotashare.core.model.Hold;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.Queue;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.ShareState;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the reasons of the front jobs of each pool were told from last, so that they are told again
 * only where something of that changed.
 */
final class Explained {
  /** What the reason of every front job of a pool may depend on, whatever its share is. */
  private record Conditions(
      Queue queue,
      int total,
      int closedFree,
      int sumCapacity,
      int sumUse,
      int sumAbove,
      int withheld,
      int exists,
      int openFree,
      int coming,
      int mostAvailable,
      Optional<Hold> hold,
      boolean borrowingBlocked,
      int sumLendLimits,
      long sizesRevision) {
    static Conditions of(Pool pool) {
      Ledger planned = pool.planned();
      return new Conditions(
          pool.queue(),
          pool.totalDevices(),
          pool.closedFree(),
          planned.sumCapacity(),
          planned.sumUse(),
          planned.sumAbove(),
          planned.withheld(),
          planned.exists(),
          pool.openFree(),
          pool.coming(),
          pool.mostAvailable(),
          pool.hold(),
          pool.borrowingBlocked(),
          pool.sumLendLimits(),
          pool.sizesRevision());
    }
  }

  private final Map<PoolKey, Conditions> conditions = new HashMap<>();

  /** Front jobs whose reason was what came of trying to start them. */
  private final Map<PoolKey, Set<JobKey>> tried = new HashMap<>();

  /** Takes the shares whose front job may wait for another reason than at the last call. */
  Collection<ShareState> takeShares(Pool pool) {
    Conditions now = Conditions.of(pool);
    Conditions before = conditions.put(pool.key(), now);
    Collection<ShareState> changed = pool.takeChanged();
    // Where closed nodes have free devices is not in the conditions.
    return now.equals(before) && pool.closedFree() == 0 ? changed : pool.shares().values();
  }

  /**
   * Front jobs whose reason is what came of trying to start them, now or at the last call: it
   * changes with what runs, and with time.
   */
  Set<JobKey> takeTried(Pool pool, Map<JobKey, Tried> results) {
    Set<JobKey> now = new HashSet<>();
    results.forEach(
        (key, result) -> {
          if (result.youngUntilMillis() > 0
              || result.observed() != null
              || result.takenBackFor() != null) {
            now.add(key);
          }
        });
    Set<JobKey> both = new HashSet<>(now);
    Set<JobKey> before = now.isEmpty() ? tried.remove(pool.key()) : tried.put(pool.key(), now);
    both.addAll(before == null ? Set.of() : before);
    return both;
  }
}
