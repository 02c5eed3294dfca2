package io.quotashare.server;

import io.quotashare.server.engine.Clock;

/** A clock that a test moves. */
public final class FakeClock implements Clock {
  private long wallMillis = 1_700_000_000_000L;
  private long monotonicNanos = -5_000_000_000L;

  @Override
  public synchronized long wallMillis() {
    return wallMillis;
  }

  @Override
  public synchronized long monotonicNanos() {
    return monotonicNanos;
  }

  /** Lets time pass. */
  public synchronized void advance(long millis) {
    wallMillis += millis;
    monotonicNanos += millis * 1_000_000;
  }

  /** Sets the wall clock, as an operator or NTP would. */
  public synchronized void setWallMillis(long millis) {
    wallMillis = millis;
  }
}
