package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a usage report is about.
 *
 * @param share only this share id; empty: all. The queue's own classes are given either way
 * @param start start of the report, moved to the nearest kept instant that is not later; null: when
 *     the queue first had devices
 * @param end end of the report, moved to the nearest kept instant that is not earlier; null, or in
 *     the future: now
 * @param step length of the intervals that the report is also split into, at least a minute, and at
 *     most 1000 intervals; null: not split
 */
public record UsageQuery(
    String share, @Nullable Instant start, @Nullable Instant end, @Nullable Duration step) {
  /** Shortest {@link #step}: a minute. */
  public static final Duration MIN_STEP = Duration.ofMinutes(1);

  /** Checks the order of the instants and the length of the step. */
  public UsageQuery {
    requireNonNull(share, "share");
    if (start != null && end != null && !start.isBefore(end)) {
      throw new IllegalArgumentException("end: " + end + ", expected later than start, " + start);
    }
    if (step != null && step.compareTo(MIN_STEP) < 0) {
      throw new IllegalArgumentException("step: " + step + ", expected " + MIN_STEP + " or more");
    }
  }

  /** All shares, from the beginning until now, not split. */
  public static UsageQuery whole() {
    return new UsageQuery("", null, null, null);
  }

  /** The same, only of this share. */
  public UsageQuery ofShare(String wanted) {
    return new UsageQuery(wanted, start, end, step);
  }

  /** The same from this instant on. */
  public UsageQuery from(Instant newStart) {
    return new UsageQuery(share, newStart, end, step);
  }

  /** The same until this instant. */
  public UsageQuery until(Instant newEnd) {
    return new UsageQuery(share, start, newEnd, step);
  }

  /** The same, also split into intervals of this length. */
  public UsageQuery every(Duration newStep) {
    return new UsageQuery(share, start, end, newStep);
  }
}
