package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where every device-second of a queue went (quota-semantics 6.7).
 *
 * @param start start of the report
 * @param end end of the report
 * @param classes all devices of the queue; their sum is {@code totalDeviceSeconds}
 * @param totalDeviceSeconds devices times wall time
 * @param shares by share and unit
 * @param futilePreemptions preemptions whose beneficiary did not start on what was freed
 * @param intervals the same by interval, oldest first, where a step was asked for; an interval is
 *     longer than the step where the ledger is kept only condensed
 */
public record UsageReport(
    @Nullable Instant start,
    @Nullable Instant end,
    DeviceSeconds classes,
    double totalDeviceSeconds,
    List<ShareDeviceSeconds> shares,
    long futilePreemptions,
    List<UsageInterval> intervals) {
  /** Checks that nothing required is null and copies the lists. */
  public UsageReport {
    requireNonNull(classes, "classes");
    shares = List.copyOf(shares);
    intervals = List.copyOf(intervals);
  }
}
