package io.quotashare.core.replay;

import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Unassigned;
import io.quotashare.core.model.WaitingReason;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The two ledgers of one pool (quota-semantics 1), counted anew from attempts, plans and devices:
 * devices by share as planned ({@code U}) and as held.
 */
final class Ledgers {
  final PoolKey pool;
  final SortedMap<ShareKey, Integer> planned = new TreeMap<>();
  final SortedMap<ShareKey, Integer> held = new TreeMap<>();

  /** Startable devices by node that nobody holds, on nodes that take work. */
  final SortedMap<String, Integer> free = new TreeMap<>();

  /** {@code E}. */
  int existing;

  /** Whether a node of the pool takes no work. */
  boolean nodesLeave;

  /** While somebody waits for minRuntime, it may be that nothing borrows (4.6). */
  boolean ownerWaitsForMinRuntime;

  private final Map<ShareKey, QuotaShare> shares = new TreeMap<>();
  private boolean withholdsUnassigned;

  private Ledgers(Scheduler scheduler, PoolKey pool) {
    this.pool = pool;
    for (QuotaShare share : scheduler.shares(pool.queue())) {
      shares.put(share.key(), share);
    }
    for (Queue queue : scheduler.queues()) {
      withholdsUnassigned |=
          queue.name().equals(pool.queue()) && queue.unassigned() == Unassigned.IDLE;
    }
  }

  /** The ledgers of all pools that have devices, jobs or plans. */
  static SortedMap<PoolKey, Ledgers> read(Scheduler scheduler, Collection<Plan> plans) {
    SortedMap<PoolKey, Ledgers> pools = new TreeMap<>();
    for (Node node : scheduler.nodes()) {
      Optional<String> queue = scheduler.queueOf(node.name());
      if (queue.isPresent()) {
        for (Device device : node.devices()) {
          of(scheduler, pools, new PoolKey(queue.get(), device.unit()))
              .count(scheduler, node, device);
        }
      }
    }
    for (Attempt attempt : scheduler.liveAttempts()) {
      Ledgers ledgers = of(scheduler, pools, attempt.pool());
      ledgers.held.merge(attempt.share(), attempt.heldGpus(), Integer::sum);
      if (attempt.isPlanned()) {
        ledgers.planned.merge(attempt.share(), attempt.gpus(), Integer::sum);
      }
    }
    for (Job job : scheduler.jobs()) {
      // WAITING_FOR_NODES stands above it in the table of reasons.
      if (job.waiting() != null
          && (job.waiting().reason() == WaitingReason.WAITING_FOR_MIN_RUNTIME
              || job.waiting().reason() == WaitingReason.WAITING_FOR_NODES)) {
        of(scheduler, pools, job.pool()).ownerWaitsForMinRuntime = true;
      }
    }
    for (Plan plan : plans) {
      of(scheduler, pools, plan.pool()).planned.merge(plan.share(), plan.gpus(), Integer::sum);
    }
    return pools;
  }

  private static Ledgers of(Scheduler scheduler, Map<PoolKey, Ledgers> pools, PoolKey pool) {
    return pools.computeIfAbsent(pool, key -> new Ledgers(scheduler, key));
  }

  private void count(Scheduler scheduler, Node node, Device device) {
    boolean held = scheduler.holder(node.name(), device.uuid()).isPresent();
    boolean startable = node.countsFree() && device.startable();
    existing += held || startable ? 1 : 0;
    nodesLeave |= !node.countsFree();
    if (startable && !held && node.takesWork()) {
      free.merge(node.name(), 1, Integer::sum);
    }
  }

  int capacity(ShareKey share) {
    return shares.get(share).capacity(pool.unit());
  }

  /** Limit and borrow limit together; {@link Limit#UNLIMITED} for none. */
  int mostOf(ShareKey share) {
    int borrow = shares.get(share).borrowLimit(pool.unit());
    return borrow == Limit.UNLIMITED ? borrow : capacity(share) + borrow;
  }

  int owned() {
    return shares.keySet().stream().mapToInt(this::capacity).sum();
  }

  int above(Map<ShareKey, Integer> ledger, ShareKey share) {
    return Math.max(0, ledger.getOrDefault(share, 0) - capacity(share));
  }

  int sumAbove(Map<ShareKey, Integer> ledger) {
    return shares.keySet().stream().mapToInt(share -> above(ledger, share)).sum();
  }

  /** {@code missing} in one of the ledgers. */
  int missing(Map<ShareKey, Integer> ledger) {
    if (sumAbove(ledger) == 0) {
      return 0;
    }
    int withheld = withholdsUnassigned ? Math.max(0, existing - owned()) : 0;
    for (QuotaShare share : shares.values()) {
      int spare = Math.max(0, capacity(share.key()) - ledger.getOrDefault(share.key(), 0));
      withheld += Math.max(0, spare - share.lendLimit(pool.unit()));
    }
    return Math.max(0, withheld - (existing - sum(ledger)));
  }

  /** The ledger after a job was charged. */
  static Map<ShareKey, Integer> with(Map<ShareKey, Integer> ledger, Job job) {
    Map<ShareKey, Integer> after = new TreeMap<>(ledger);
    after.merge(job.share(), job.gpus(), Integer::sum);
    return after;
  }

  static int sum(Map<ShareKey, Integer> ledger) {
    return ledger.values().stream().mapToInt(Integer::intValue).sum();
  }
}
