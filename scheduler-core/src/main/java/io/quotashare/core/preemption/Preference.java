package io.quotashare.core.preemption;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Which of two admissible sets is better, quota-semantics 4.5 (iii) to (vi): least cost; fewest
 * attempts, plans not counted; the most recently started, newest first; the job ids.
 */
final class Preference implements Comparator<int[]> {
  private final Problem problem;

  Preference(Problem problem) {
    this.problem = problem;
  }

  @Override
  public int compare(int[] a, int[] b) {
    int byCost = Long.compare(cost(a), cost(b));
    if (byCost != 0) {
      return byCost;
    }
    int byAttempts = Integer.compare(attempts(a), attempts(b));
    if (byAttempts != 0) {
      return byAttempts;
    }
    int byStart = Arrays.compare(startsNewestFirst(a), startsNewestFirst(b));
    return byStart != 0 ? byStart : compareNames(a, b);
  }

  long cost(int[] set) {
    long sum = 0;
    for (int c : set) {
      sum += problem.cost[c];
    }
    return sum;
  }

  private int attempts(int[] set) {
    int count = 0;
    for (int c : set) {
      count += problem.plan[c] ? 0 : 1;
    }
    return count;
  }

  /** Negated, so that the newest sort first and newer is smaller. */
  private long[] startsNewestFirst(int[] set) {
    long[] starts = new long[set.length];
    for (int i = 0; i < set.length; i++) {
      starts[i] = -problem.candidates[set[i]].scheduledAtMillis();
    }
    Arrays.sort(starts);
    return starts;
  }

  private int compareNames(int[] a, int[] b) {
    return Arrays.compare(sortedByName(a), sortedByName(b), Problem.BY_NAME);
  }

  private Candidate[] sortedByName(int[] set) {
    Candidate[] sorted = new Candidate[set.length];
    for (int i = 0; i < set.length; i++) {
      sorted[i] = problem.candidates[set[i]];
    }
    Arrays.sort(sorted, Problem.BY_NAME);
    return sorted;
  }
}
