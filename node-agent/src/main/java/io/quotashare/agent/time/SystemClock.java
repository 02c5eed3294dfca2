package io.quotashare.agent.time;

import com.sun.jna.Library;
import com.sun.jna.Native;
import java.time.Instant;

/** The clocks of this host. */
public final class SystemClock implements AgentClock {
  private static final int CLOCK_BOOTTIME = 7;

  /** The JDK has no way to CLOCK_BOOTTIME: nanoTime stands still while the host sleeps. */
  interface Time extends Library {
    int clock_gettime(int clock, long[] timespec);
  }

  private final Time time = Native.load("c", Time.class);

  @Override
  public long bootMillis() {
    long[] timespec = new long[2];
    if (time.clock_gettime(CLOCK_BOOTTIME, timespec) != 0) {
      throw new IllegalStateException(
          "this host has no CLOCK_BOOTTIME (Linux 2.6.39 or newer is needed)");
    }
    return timespec[0] * 1_000 + timespec[1] / 1_000_000;
  }

  @Override
  public Instant wallTime() {
    return Instant.now();
  }
}
