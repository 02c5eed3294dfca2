package io.quotashare.core.replay;

import static io.quotashare.core.replay.InvariantChecker.require;

import io.quotashare.core.Scheduler;
import io.quotashare.core.UsageReport;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.PoolMeter;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareMeter;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** I9: device-seconds add up (quota-semantics 6.7), compared with integrals kept here. */
final class MeterInvariants {
  private final Map<PoolKey, Long> deviceMillis = new HashMap<>();
  private final Map<PoolKey, Long> heldMillis = new HashMap<>();
  private final Map<Object, Long> limitMillis = new HashMap<>();
  private Map<PoolKey, Integer> devices = new TreeMap<>();
  private Map<PoolKey, Integer> held = new TreeMap<>();
  private Map<Object, Integer> limits = new HashMap<>();
  private long sinceMillis = Long.MIN_VALUE;

  /** A share in a pool. */
  private record ShareInPool(Object share, String unit) {}

  void check(Scheduler scheduler, long nowMillis) {
    long passed = sinceMillis == Long.MIN_VALUE ? 0 : nowMillis - sinceMillis;
    advance(devices, deviceMillis, passed);
    advance(held, heldMillis, passed);
    advance(limits, limitMillis, passed);
    sinceMillis = nowMillis;
    for (Queue queue : scheduler.queues()) {
      checkQueue(queue.name(), scheduler.usage(queue.name(), nowMillis));
    }
    read(scheduler);
  }

  private void checkQueue(String queue, UsageReport usage) {
    for (PoolMeter pool : usage.pools()) {
      long wall = deviceMillis.getOrDefault(pool.pool(), 0L);
      require(pool.total() == wall, "I9: %s sums up to %s, not %s", pool, pool.total(), wall);
      long inUse = heldMillis.getOrDefault(pool.pool(), 0L);
      require(pool.held() == inUse, "I9: %s, but %s ms were held", pool, inUse);
      long byShare = 0;
      for (UsageReport.ShareUse use : usage.shares()) {
        ShareMeter meter = use.meter();
        byShare += meter.unit().equals(pool.pool().unit()) ? usedOf(meter) : 0;
      }
      require(
          byShare == pool.held(),
          "I9: the shares of %s held %s ms, the pool says %s",
          queue,
          byShare,
          pool.held());
    }
    for (UsageReport.ShareUse use : usage.shares()) {
      checkShare(use);
    }
  }

  private void checkShare(UsageReport.ShareUse use) {
    ShareMeter meter = use.meter();
    require(
        use.classes().total() == usedOf(meter),
        "I9: the classes %s sum up to %s, the share held %s",
        use.classes(),
        use.classes().total(),
        usedOf(meter));
    long owned = limitMillis.getOrDefault(new ShareInPool(meter.share(), meter.unit()), 0L);
    require(
        meter.own() + meter.lent() + meter.idle() == owned,
        "I9: own, lent and idle of %s sum up to %s, it owned %s",
        meter,
        meter.own() + meter.lent() + meter.idle(),
        owned);
  }

  private static long usedOf(ShareMeter meter) {
    return meter.own() + meter.borrowed() + meter.over();
  }

  private void read(Scheduler scheduler) {
    devices = new TreeMap<>();
    held = new TreeMap<>();
    limits = new HashMap<>();
    for (Node node : scheduler.nodes()) {
      for (Device device : node.devices()) {
        scheduler
            .queueOf(node.name())
            .ifPresent(q -> devices.merge(new PoolKey(q, device.unit()), 1, Integer::sum));
      }
    }
    for (Attempt attempt : scheduler.liveAttempts()) {
      held.merge(attempt.pool(), attempt.heldGpus(), Integer::sum);
    }
    for (Queue queue : scheduler.queues()) {
      for (QuotaShare share : scheduler.shares(queue.name())) {
        share.capacity().forEach((unit, n) -> limits.put(new ShareInPool(share.key(), unit), n));
      }
    }
  }

  private static <K> void advance(Map<K, Integer> now, Map<K, Long> sums, long passedMillis) {
    now.forEach((key, count) -> sums.merge(key, count * passedMillis, Long::sum));
  }
}
