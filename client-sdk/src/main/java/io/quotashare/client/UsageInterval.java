package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of the time that a report covers.
 *
 * @param start start of the interval
 * @param end end of the interval
 * @param classes all devices of the queue; their sum is {@code totalDeviceSeconds}
 * @param totalDeviceSeconds devices times wall time
 * @param shares by share and unit
 */
public record UsageInterval(
    @Nullable Instant start,
    @Nullable Instant end,
    DeviceSeconds classes,
    double totalDeviceSeconds,
    List<ShareDeviceSeconds> shares) {
  /** Checks that nothing required is null and copies the list. */
  public UsageInterval {
    requireNonNull(classes, "classes");
    shares = List.copyOf(shares);
  }
}
