package io.quotashare.server.queues;

import io.quotashare.core.UsageReport;
import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.PoolMeter;
import io.quotashare.core.model.ShareMeter;
import io.quotashare.proto.v1.DeviceSeconds;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.proto.v1.ShareDeviceSeconds;
import io.quotashare.server.grpc.Times;

/** Where device-seconds went, in the words of the contract. */
final class UsageWriter {
  private UsageWriter() {}

  static GetUsageReportResponse report(UsageReport usage, long nowMillis) {
    long start = nowMillis;
    DeviceMillis held = DeviceMillis.ZERO;
    for (UsageReport.ShareUse share : usage.shares()) {
      held = held.plus(share.classes());
    }
    DeviceSeconds.Builder classes = classes(held);
    long total = 0;
    for (PoolMeter pool : usage.pools()) {
      start = Math.min(start, pool.startedAtMillis());
      total += pool.total();
      classes
          .setHeldForBeneficiary(
              classes.getHeldForBeneficiary() + seconds(pool.heldForBeneficiary()))
          .setReservedIdle(classes.getReservedIdle() + seconds(pool.reservedIdle()))
          .setIdle(classes.getIdle() + seconds(pool.idle()))
          .setUnhealthy(classes.getUnhealthy() + seconds(pool.unhealthy()))
          .setOutside(classes.getOutside() + seconds(pool.outside()));
    }
    GetUsageReportResponse.Builder report =
        GetUsageReportResponse.newBuilder()
            .setStart(Times.timestamp(start))
            .setEnd(Times.timestamp(nowMillis))
            .setClasses(classes)
            .setTotalDeviceSeconds(seconds(total))
            .setFutilePreemptions(usage.futilePreemptions());
    usage.shares().forEach(share -> report.addShares(share(share)));
    return report.build();
  }

  private static ShareDeviceSeconds share(UsageReport.ShareUse use) {
    ShareMeter meter = use.meter();
    return ShareDeviceSeconds.newBuilder()
        .setShare(meter.share().share())
        .setUnit(meter.unit())
        .setOwn(seconds(meter.own()))
        .setBorrowed(seconds(meter.borrowed()))
        .setOver(seconds(meter.over()))
        .setLent(seconds(meter.lent()))
        .setIdle(seconds(meter.idle()))
        .setClasses(classes(use.classes()))
        .build();
  }

  private static DeviceSeconds.Builder classes(DeviceMillis held) {
    return DeviceSeconds.newBuilder()
        .setUseful(seconds(held.useful()))
        .setStartup(seconds(held.startup()))
        .setLost(seconds(held.lost()))
        .setSaving(seconds(held.saving()))
        .setDraining(seconds(held.draining()));
  }

  private static double seconds(long millis) {
    return millis / 1000.0;
  }
}
