package io.quotashare.core.replay;

import static io.quotashare.core.replay.InvariantChecker.require;

import io.quotashare.core.Batch;
import io.quotashare.core.Change;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Unassigned;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** I2, I3 and I4: the two ledgers stay within what exists, the limits and the cover. */
final class LedgerInvariants {
  private final Map<Long, Plan> plans = new TreeMap<>();
  private final Set<Object> seenAttempts = new HashSet<>();
  private Map<PoolKey, Ledgers> before = new HashMap<>();
  private List<Plan> plansBefore = List.of();

  /** Devices of one pool, by share: as planned, and as held. */
  private static final class Ledgers {
    private final Map<ShareKey, Integer> planned = new TreeMap<>();
    private final Map<ShareKey, Integer> held = new TreeMap<>();
    private final Map<ShareKey, Integer> overLimit = new TreeMap<>();
    private int existing;
    private boolean nodesLeave;
    private int missingPlanned;
    private int missingHeld;
  }

  void check(Scheduler scheduler, Batch step) {
    boolean shifted = note(step);
    Map<PoolKey, Ledgers> now = read(scheduler);
    for (Map.Entry<PoolKey, Ledgers> entry : now.entrySet()) {
      PoolKey pool = entry.getKey();
      Ledgers ledgers = entry.getValue();
      ledgers.missingPlanned = missing(scheduler, pool, ledgers, ledgers.planned);
      ledgers.missingHeld = missing(scheduler, pool, ledgers, ledgers.held);
      checkExists(pool, ledgers);
      checkLimits(scheduler, pool, ledgers, shifted);
      checkCover(pool, ledgers, shifted);
    }
    before = now;
  }

  /**
   * Takes note of plans.
   *
   * @return whether limits, nodes or jobs that run already were put in place, so that what was
   *     right before may be wrong now
   */
  private boolean note(Batch step) {
    boolean shifted = false;
    plansBefore = List.copyOf(plans.values());
    for (Change change : step.changes()) {
      if (change instanceof Change.PlanPut put) {
        plans.put(put.plan().id(), put.plan());
      } else if (change instanceof Change.PlanRemoved removed) {
        plans.remove(removed.planId());
      } else if (change instanceof Change.AttemptPut put) {
        boolean first = seenAttempts.add(put.attempt().key());
        shifted |= first && put.attempt().scheduledAtMillis() < Replay.EPOCH_MILLIS;
      } else {
        shifted |= change instanceof Change.SharePut || change instanceof Change.NodePut;
        shifted |= change instanceof Change.QueuePut || change instanceof Change.ShareRemoved;
      }
    }
    return shifted;
  }

  private Map<PoolKey, Ledgers> read(Scheduler scheduler) {
    Map<PoolKey, Ledgers> pools = new TreeMap<>();
    for (Node node : scheduler.nodes()) {
      Optional<String> queue = scheduler.queueOf(node.name());
      if (queue.isEmpty()) {
        continue;
      }
      for (Device device : node.devices()) {
        Ledgers ledgers = of(pools, new PoolKey(queue.get(), device.unit()));
        boolean held = scheduler.holder(node.name(), device.uuid()).isPresent();
        ledgers.existing += held || (node.countsFree() && device.startable()) ? 1 : 0;
        ledgers.nodesLeave |= !node.countsFree();
      }
    }
    for (Attempt attempt : scheduler.liveAttempts()) {
      Ledgers ledgers = of(pools, attempt.pool());
      ledgers.held.merge(attempt.share(), attempt.heldGpus(), Integer::sum);
      if (attempt.isPlanned()) {
        ledgers.planned.merge(attempt.share(), attempt.gpus(), Integer::sum);
      }
    }
    for (Plan plan : plans.values()) {
      of(pools, plan.pool()).planned.merge(plan.share(), plan.gpus(), Integer::sum);
    }
    return pools;
  }

  private static Ledgers of(Map<PoolKey, Ledgers> pools, PoolKey pool) {
    return pools.computeIfAbsent(pool, key -> new Ledgers());
  }

  private static void checkExists(PoolKey pool, Ledgers ledgers) {
    if (ledgers.nodesLeave) {
      return;
    }
    int planned = sum(ledgers.planned);
    int held = sum(ledgers.held);
    require(
        planned <= ledgers.existing && held <= ledgers.existing,
        "I2: in %s %s are planned and %s held of %s devices",
        pool,
        planned,
        held,
        ledgers.existing);
  }

  private void checkLimits(Scheduler scheduler, PoolKey pool, Ledgers ledgers, boolean shifted) {
    Set<ShareKey> shares = new TreeSet<>(ledgers.planned.keySet());
    shares.addAll(ledgers.held.keySet());
    for (ShareKey key : shares) {
      QuotaShare share = scheduler.share(key).orElseThrow();
      int borrow = share.borrowLimit(pool.unit());
      if (borrow == Limit.UNLIMITED) {
        continue;
      }
      int limit = share.capacity(pool.unit()) + borrow;
      int planned = ledgers.planned.getOrDefault(key, 0);
      int held = ledgers.held.getOrDefault(key, 0);
      int over = Math.max(0, Math.max(planned, held) - limit);
      ledgers.overLimit.put(key, over);
      int allowed = before.getOrDefault(pool, new Ledgers()).overLimit.getOrDefault(key, 0);
      require(
          shifted || over <= allowed,
          "I3: %s has %s planned and %s held of %s, its limit is %s",
          key,
          planned,
          held,
          pool.unit(),
          limit);
    }
  }

  /**
   * What is missing never grows, compared with the step before and, for a start that was planned,
   * with when it was decided.
   */
  private void checkCover(PoolKey pool, Ledgers ledgers, boolean shifted) {
    Ledgers old = before.getOrDefault(pool, new Ledgers());
    if (shifted || ledgers.existing < old.existing) {
      // On a node that takes no work, what is freed no longer exists.
      return;
    }
    int allowedPlanned = old.missingPlanned;
    int allowedHeld = old.missingHeld;
    for (Plan plan : plansBefore) {
      if (plan.pool().equals(pool)) {
        allowedPlanned = Math.max(allowedPlanned, plan.missingPlanned());
        allowedHeld = Math.max(allowedHeld, plan.missingHeld());
      }
    }
    require(
        ledgers.missingPlanned <= allowedPlanned,
        "I4: in %s %s devices are missing as planned, before %s",
        pool,
        ledgers.missingPlanned,
        allowedPlanned);
    require(
        ledgers.missingHeld <= allowedHeld,
        "I4: in %s %s devices are missing as held, before %s",
        pool,
        ledgers.missingHeld,
        allowedHeld);
  }

  /** {@code missing} of quota-semantics 1 in one of the ledgers. */
  private static int missing(
      Scheduler scheduler, PoolKey pool, Ledgers ledgers, Map<ShareKey, Integer> used) {
    int above = 0;
    int withheld = 0;
    int owned = 0;
    for (QuotaShare share : scheduler.shares(pool.queue())) {
      int capacity = share.capacity(pool.unit());
      int use = used.getOrDefault(share.key(), 0);
      int spare = Math.max(0, capacity - use);
      above += Math.max(0, use - capacity);
      withheld += Math.max(0, spare - share.lendLimit(pool.unit()));
      owned += capacity;
    }
    Queue queue =
        scheduler.queues().stream()
            .filter(q -> q.name().equals(pool.queue()))
            .findFirst()
            .orElseThrow();
    if (queue.unassigned() == Unassigned.IDLE) {
      withheld += Math.max(0, ledgers.existing - owned);
    }
    int free = ledgers.existing - sum(used);
    return above == 0 ? 0 : Math.max(0, withheld - free);
  }

  private static int sum(Map<ShareKey, Integer> devices) {
    return devices.values().stream().mapToInt(Integer::intValue).sum();
  }
}
