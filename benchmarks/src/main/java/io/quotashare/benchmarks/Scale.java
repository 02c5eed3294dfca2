package io.quotashare.benchmarks;

/**
 * How large and how long everything is measured.
 *
 * @param warmUps rounds of each figure that do not count
 * @param rounds rounds that count
 * @param steps decisions of a round where every batch is one event
 * @param divisor by which all sizes are smaller than the published ones; ratios need 1
 * @param mostPending largest number of jobs that wait
 */
record Scale(int warmUps, int rounds, int steps, int divisor, int mostPending) {
  /** The published figures. */
  static final Scale ALL = new Scale(6, 7, 2_000, 1, 1_000_000);

  /** The same sizes with few rounds, and not the largest. */
  static final Scale QUICK = new Scale(3, 3, 500, 1, 10_000);

  /** Only to see that everything still runs. */
  static final Scale SMOKE = new Scale(0, 1, 5, 25, 1_000);

  int of(int size) {
    return Math.max(1, size / divisor);
  }
}
