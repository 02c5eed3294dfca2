package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where every device-second of a queue went.
 *
 * @param start when the queue first had devices
 * @param end now
 * @param classes all devices of the queue; their sum is {@code totalDeviceSeconds}
 * @param totalDeviceSeconds devices times wall time
 * @param shares by share and unit
 * @param futilePreemptions preemptions whose beneficiary did not start on what was freed
 */
public record UsageReport(
    @Nullable Instant start,
    @Nullable Instant end,
    DeviceSeconds classes,
    double totalDeviceSeconds,
    List<ShareDeviceSeconds> shares,
    long futilePreemptions) {
  /** Checks that nothing required is null and copies the list. */
  public UsageReport {
    requireNonNull(classes, "classes");
    shares = List.copyOf(shares);
  }
}
