package io.quotashare.agent.session;

import static java.util.Objects.requireNonNull;

import java.util.random.RandomGenerator;

/**
 * Waiting times between tries: each range is twice the one before, and the time is anywhere in the
 * upper half of it, so that many agents that lost the same scheduler do not come back at once.
 */
final class Backoff {
  private final long firstMillis;
  private final long maxMillis;
  private final RandomGenerator random;
  private int failures;

  /**
   * Times from {@code firstMillis / 2} to {@code maxMillis}.
   *
   * @param random where in the range
   */
  Backoff(long firstMillis, long maxMillis, RandomGenerator random) {
    if (firstMillis < 2 || maxMillis < firstMillis) {
      throw new IllegalArgumentException(
          "firstMillis: "
              + firstMillis
              + ", maxMillis: "
              + maxMillis
              + " (expected: 2 <= first <= max)");
    }
    this.firstMillis = firstMillis;
    this.maxMillis = maxMillis;
    this.random = requireNonNull(random, "random is null");
  }

  /** How long to wait after one more failure. */
  long nextMillis() {
    int doublings = Math.min(failures++, 30);
    long range = Math.min(maxMillis, firstMillis << doublings);
    return range / 2 + random.nextLong(range - range / 2 + 1);
  }

  /** It worked: the next failure is a first one. */
  void reset() {
    failures = 0;
  }
}
