package io.quotashare.server.queues;

import io.quotashare.core.UsageReport;
import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.PoolMeter;
import io.quotashare.core.model.ShareMeter;
import io.quotashare.core.model.UsageSample;
import io.quotashare.core.model.UsageSample.ShareUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The accounts of all pools of a queue at one instant: sums since each had devices, so none is
 * there before it had.
 *
 * @param atMillis the instant
 * @param pools samples by unit
 */
record UsagePoint(long atMillis, Map<String, UsageSample> pools) {
  private static final DeviceMillis NOTHING = DeviceMillis.ZERO;

  UsagePoint {
    pools = Map.copyOf(pools);
  }

  /** The present accounts. */
  static UsagePoint of(UsageReport usage, long nowMillis) {
    Map<String, List<ShareUsage>> shares = new HashMap<>();
    for (UsageReport.ShareUse use : usage.shares()) {
      ShareMeter meter = use.meter();
      shares
          .computeIfAbsent(meter.unit(), unit -> new ArrayList<>())
          .add(UsageSample.account(meter, use.classes()));
    }
    Map<String, UsageSample> pools = new HashMap<>();
    for (PoolMeter pool : usage.pools()) {
      String unit = pool.pool().unit();
      pools.put(
          unit, UsageSample.of(pool, nowMillis, shares.getOrDefault(unit, List.<ShareUsage>of())));
    }
    return new UsagePoint(nowMillis, pools);
  }

  /** What was counted between two instants, by unit. */
  static Map<String, UsageSample> between(UsagePoint from, UsagePoint to) {
    Map<String, UsageSample> result = new TreeMap<>();
    to.pools().forEach((unit, after) -> result.put(unit, minus(after, from.pools().get(unit))));
    return result;
  }

  private static UsageSample minus(UsageSample after, UsageSample before) {
    if (before == null) {
      return after;
    }
    Map<String, ShareUsage> sharesBefore = new HashMap<>();
    before.shares().forEach(share -> sharesBefore.put(share.share(), share));
    return new UsageSample(
        after.pool(),
        after.atMillis(),
        after.startedAtMillis(),
        after.heldForBeneficiary() - before.heldForBeneficiary(),
        after.reservedIdle() - before.reservedIdle(),
        after.idle() - before.idle(),
        after.unhealthy() - before.unhealthy(),
        after.outside() - before.outside(),
        after.shares().stream().map(s -> minus(s, sharesBefore.get(s.share()))).toList());
  }

  private static ShareUsage minus(ShareUsage after, ShareUsage before) {
    if (before == null) {
      return after;
    }
    return new ShareUsage(
        after.share(),
        after.own() - before.own(),
        after.borrowed() - before.borrowed(),
        after.over() - before.over(),
        after.lent() - before.lent(),
        after.idle() - before.idle(),
        minus(after.classes(), before.classes()));
  }

  private static DeviceMillis minus(DeviceMillis after, DeviceMillis before) {
    return before.equals(NOTHING)
        ? after
        : new DeviceMillis(
            after.useful() - before.useful(),
            after.startup() - before.startup(),
            after.lost() - before.lost(),
            after.saving() - before.saving(),
            after.draining() - before.draining());
  }
}
