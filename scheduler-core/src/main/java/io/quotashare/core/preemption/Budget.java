package io.quotashare.core.preemption;

/**
 * Steps that a search may still make. Counted, not timed, so that answers are the same anywhere.
 */
final class Budget {
  private long left;

  Budget(long steps) {
    this.left = steps;
  }

  /** Uses steps; false if there are none left. */
  boolean spend(long steps) {
    left -= steps;
    return left >= 0;
  }

  boolean isSpent() {
    return left < 0;
  }
}
