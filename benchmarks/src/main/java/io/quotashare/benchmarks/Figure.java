package io.quotashare.benchmarks;

import java.util.Locale;

/**
 * One measured number.
 *
 * @param group what was measured, such as {@code turnover by nodes}
 * @param at value of what varies inside the group, such as the number of nodes
 * @param micros median of the rounds: microseconds of processor time a decision, collections
 *     included
 * @param bestMicros the best round
 * @param worstMicros the worst round
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
    double wallMicros,
    double ratio) {
  /** Decisions a second on one core. */
  double perSecond() {
    return 1e6 / micros;
  }

  /** Head of what {@link #line} prints. */
  static String head() {
    return String.format(
        "%-28s %9s %12s %12s %21s %12s %7s",
        "figure", "at", "decisions/s", "us of CPU", "best..worst", "us of wall", "ratio");
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "%-28s %9d %12.0f %12.2f %21s %12.2f %7.2f",
        group,
        at,
        perSecond(),
        micros,
        String.format(Locale.ROOT, "%.2f..%.2f", bestMicros, worstMicros),
        wallMicros,
        ratio);
  }
}
