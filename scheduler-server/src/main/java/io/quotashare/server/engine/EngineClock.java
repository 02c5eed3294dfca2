package io.quotashare.server.engine;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Time of the scheduler's decisions: the wall clock as it was at the start, moved on by the
 * monotonic clock. A step of the wall clock changes nothing (reliability C1), and time never lies
 * before what an earlier process made durable, so that order in the rows is order in time.
 */
public final class EngineClock {
  private final Clock clock;
  private final long anchorMillis;
  private final long anchorNanos;

  /**
   * @param newestMillis newest time that is durable, in milliseconds since the epoch of the
   *     calendar; 0 if none
   */
  public EngineClock(Clock clock, long newestMillis) {
    this.clock = requireNonNull(clock, "clock is null");
    checkArgument(newestMillis >= 0, "newestMillis: %s (expected: >= 0)", newestMillis);
    this.anchorMillis = Math.max(clock.wallMillis(), newestMillis);
    this.anchorNanos = clock.monotonicNanos();
  }

  /** Now, in milliseconds since the epoch of the calendar. */
  public long nowMillis() {
    return atNanos(clock.monotonicNanos());
  }

  /** The instant of a reading of the monotonic clock. */
  public long atNanos(long monotonicNanos) {
    return anchorMillis + Math.floorDiv(monotonicNanos - anchorNanos, 1_000_000L);
  }

  /** Reading of the monotonic clock at an instant. */
  public long nanosAt(long millis) {
    return anchorNanos + (millis - anchorMillis) * 1_000_000L;
  }

  /** Reading of the monotonic clock now. */
  public long monotonicNanos() {
    return clock.monotonicNanos();
  }
}
