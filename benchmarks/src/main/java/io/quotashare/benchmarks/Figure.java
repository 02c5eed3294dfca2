package io.quotashare.benchmarks;

import java.util.Locale;

/**
 * One measured number.
 *
 * @param group what was measured, such as {@code turnover by nodes}
 * @param at value of what varies inside the group, such as the number of nodes
 * @param micros median of the rounds: microseconds of processor time of the deciding thread a
 *     decision
 * @param bestMicros the best round
 * @param worstMicros the worst round
 * @param gcMicros median of the rounds: microseconds by the wall clock in which the collector
 *     worked, a decision
 * @param wallMicros median of the rounds: microseconds by the wall clock a decision
 * @param ratio {@code micros} divided by that of the first figure of the group, which was measured
 *     in the same run
 */
record Figure(
    String group,
    int at,
    double micros,
    double bestMicros,
    double worstMicros,
    double gcMicros,
    double wallMicros,
    double ratio) {
  /** Decisions a second on one core. */
  double perSecond() {
    return 1e6 / micros;
  }

  /** Head of what {@link #line} prints. */
  static String head() {
    return String.format(
        "%-28s %7s %11s %10s %19s %7s %10s %6s",
        "figure", "at", "decisions/s", "us of CPU", "best..worst", "us GC", "us of wall", "ratio");
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "%-28s %7d %11.0f %10.2f %19s %7.2f %10.2f %6.2f",
        group,
        at,
        perSecond(),
        micros,
        String.format(Locale.ROOT, "%.2f..%.2f", bestMicros, worstMicros),
        gcMicros,
        wallMicros,
        ratio);
  }
}
