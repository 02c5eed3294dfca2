package io.quotashare.server.queues;

import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.UsageSample;
import io.quotashare.core.model.UsageSample.ShareUsage;
import io.quotashare.proto.v1.DeviceSeconds;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.proto.v1.ShareDeviceSeconds;
import io.quotashare.proto.v1.UsageInterval;
import io.quotashare.server.grpc.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where device-seconds went, in the words of the contract. Sums are made in milliseconds, so that
 * they add up before they are shown as seconds.
 */
final class UsageWriter {
  /**
   * A span of time.
   *
   * @param classes of all devices
   * @param totalSeconds devices times wall time
   * @param shares by unit and share
   */
  private record Span(
      DeviceSeconds classes, double totalSeconds, List<ShareDeviceSeconds> shares) {}

  private UsageWriter() {}

  /**
   * The report.
   *
   * @param points the ends of the intervals in order; the first and the last are those of the
   *     report
   * @param split whether the intervals are asked for
   * @param share only this share's accounts; empty for all
   */
  static GetUsageReportResponse report(
      List<UsagePoint> points, boolean split, String share, long futilePreemptions) {
    UsagePoint first = points.get(0);
    UsagePoint last = points.get(points.size() - 1);
    Span whole = span(first, last, share);
    GetUsageReportResponse.Builder report =
        GetUsageReportResponse.newBuilder()
            .setStart(Times.timestamp(first.atMillis()))
            .setEnd(Times.timestamp(last.atMillis()))
            .setClasses(whole.classes())
            .setTotalDeviceSeconds(whole.totalSeconds())
            .addAllShares(whole.shares())
            .setFutilePreemptions(futilePreemptions);
    for (int i = 1; split && i < points.size(); i++) {
      report.addIntervals(interval(points.get(i - 1), points.get(i), share));
    }
    return report.build();
  }

  private static UsageInterval interval(UsagePoint from, UsagePoint to, String share) {
    Span span = span(from, to, share);
    return UsageInterval.newBuilder()
        .setStart(Times.timestamp(from.atMillis()))
        .setEnd(Times.timestamp(to.atMillis()))
        .setClasses(span.classes())
        .setTotalDeviceSeconds(span.totalSeconds())
        .addAllShares(span.shares())
        .build();
  }

  private static Span span(UsagePoint from, UsagePoint to, String only) {
    DeviceMillis held = DeviceMillis.ZERO;
    long heldForBeneficiary = 0;
    long reservedIdle = 0;
    long idle = 0;
    long unhealthy = 0;
    long outside = 0;
    List<ShareDeviceSeconds> shares = new ArrayList<>();
    for (Map.Entry<String, UsageSample> pool : UsagePoint.between(from, to).entrySet()) {
      UsageSample sample = pool.getValue();
      heldForBeneficiary += sample.heldForBeneficiary();
      reservedIdle += sample.reservedIdle();
      idle += sample.idle();
      unhealthy += sample.unhealthy();
      outside += sample.outside();
      for (ShareUsage share : sample.shares()) {
        held = held.plus(share.classes());
        if (only.isEmpty() || only.equals(share.share())) {
          shares.add(share(share, pool.getKey()));
        }
      }
    }
    long total = held.total() + heldForBeneficiary + reservedIdle + idle + unhealthy + outside;
    DeviceSeconds classes =
        classes(held)
            .setHeldForBeneficiary(seconds(heldForBeneficiary))
            .setReservedIdle(seconds(reservedIdle))
            .setIdle(seconds(idle))
            .setUnhealthy(seconds(unhealthy))
            .setOutside(seconds(outside))
            .build();
    return new Span(classes, seconds(total), shares);
  }

  private static ShareDeviceSeconds share(ShareUsage use, String unit) {
    return ShareDeviceSeconds.newBuilder()
        .setShare(use.share())
        .setUnit(unit)
        .setOwn(seconds(use.own()))
        .setBorrowed(seconds(use.borrowed()))
        .setOver(seconds(use.over()))
        .setLent(seconds(use.lent()))
        .setIdle(seconds(use.idle()))
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
