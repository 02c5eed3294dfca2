package io.quotashare.agent.time;

import java.time.Instant;

/** Clocks that go on only when a test says so. */
public final class ManualClock implements AgentClock {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private long bootMillis = 1_000_000;
  private Instant wallTime = START;

  /** Lets time go by on both clocks. */
  public void advance(long millis) {
    bootMillis += millis;
    wallTime = wallTime.plusMillis(millis);
  }

  /** Sets the wall clock alone, as NTP or an operator does. */
  public void setWallTime(Instant time) {
    wallTime = time;
  }

  @Override
  public long bootMillis() {
    return bootMillis;
  }

  @Override
  public Instant wallTime() {
    return wallTime;
  }
}
