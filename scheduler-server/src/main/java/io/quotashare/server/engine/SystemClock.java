package io.quotashare.server.engine;

/** The clocks of this machine. */
public final class SystemClock implements Clock {
  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public long monotonicNanos() {
    return System.nanoTime();
  }
}
