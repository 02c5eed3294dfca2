package io.quotashare.core.replay;

import static io.quotashare.core.replay.InvariantChecker.require;

import io.quotashare.core.Batch;
import io.quotashare.core.Change;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.ShareKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** I2, I3 and I4: the two ledgers stay within what exists, the limits and the cover. */
final class LedgerInvariants {
  private final Set<AttemptKey> seenAttempts = new HashSet<>();
  private Map<PoolKey, Ledgers> before = new TreeMap<>();

  void check(
      Scheduler scheduler, Batch step, Collection<Plan> plansBefore, Collection<Plan> plans) {
    boolean shifted = isShifted(step);
    Map<PoolKey, Ledgers> now = Ledgers.read(scheduler, plans);
    for (Ledgers ledgers : now.values()) {
      Ledgers old = before.get(ledgers.pool);
      checkExists(ledgers);
      if (old != null && !shifted) {
        checkLimits(ledgers, old);
        checkCover(ledgers, old, plansBefore);
      }
    }
    before = now;
  }

  /**
   * Whether limits, nodes or jobs that run already were put in place, so that what was right before
   * may be wrong now.
   */
  private boolean isShifted(Batch step) {
    boolean shifted = false;
    for (Change change : step.changes()) {
      if (change instanceof Change.AttemptPut put) {
        boolean first = seenAttempts.add(put.attempt().key());
        shifted |= first && put.attempt().state() == AttemptState.RUNNING;
      }
      shifted |= change instanceof Change.SharePut || change instanceof Change.NodePut;
      shifted |= change instanceof Change.QueuePut || change instanceof Change.ShareRemoved;
    }
    return shifted;
  }

  private static void checkExists(Ledgers ledgers) {
    if (ledgers.nodesLeave) {
      return;
    }
    int planned = Ledgers.sum(ledgers.planned);
    int held = Ledgers.sum(ledgers.held);
    require(
        planned <= ledgers.existing && held <= ledgers.existing,
        "I2: in %s %s are planned and %s held of %s devices",
        ledgers.pool,
        planned,
        held,
        ledgers.existing);
  }

  /** What is above limit and borrow limit may only become less. */
  private static void checkLimits(Ledgers ledgers, Ledgers old) {
    Set<ShareKey> shares = new TreeSet<>(ledgers.planned.keySet());
    shares.addAll(ledgers.held.keySet());
    for (ShareKey share : shares) {
      if (ledgers.mostOf(share) != Limit.UNLIMITED) {
        require(
            over(ledgers, share) <= over(old, share),
            "I3: %s has %s planned and %s held of %s, at most %s are allowed",
            share,
            ledgers.planned.getOrDefault(share, 0),
            ledgers.held.getOrDefault(share, 0),
            ledgers.pool.unit(),
            ledgers.mostOf(share));
      }
    }
  }

  private static int over(Ledgers ledgers, ShareKey share) {
    int planned = ledgers.planned.getOrDefault(share, 0);
    int held = ledgers.held.getOrDefault(share, 0);
    return Math.max(0, Math.max(planned, held) - ledgers.mostOf(share));
  }

  /**
   * What is missing never grows, compared with the step before and, for a start that was planned,
   * with when it was decided.
   */
  private static void checkCover(Ledgers ledgers, Ledgers old, Collection<Plan> plansBefore) {
    if (ledgers.existing < old.existing) {
      // On a node that takes no work, what is freed no longer exists.
      return;
    }
    Map<String, Integer> allowed = new HashMap<>();
    allowed.put("planned", old.missing(old.planned));
    allowed.put("held", old.missing(old.held));
    for (Plan plan : plansBefore) {
      if (plan.pool().equals(ledgers.pool)) {
        allowed.merge("planned", plan.missingPlanned(), Math::max);
        allowed.merge("held", plan.missingHeld(), Math::max);
      }
    }
    checkMissing("planned", ledgers.missing(ledgers.planned), allowed);
    checkMissing("held", ledgers.missing(ledgers.held), allowed);
  }

  private static void checkMissing(String ledger, int missing, Map<String, Integer> allowed) {
    require(
        missing <= allowed.getOrDefault(ledger, 0),
        "I4: %s devices are missing as %s, before %s",
        missing,
        ledger,
        allowed.get(ledger));
  }
}
