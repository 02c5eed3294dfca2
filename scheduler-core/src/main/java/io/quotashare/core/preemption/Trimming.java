package io.quotashare.core.preemption;

import java.util.Arrays;

/**
 * Takes superfluous members out of a feasible set (quota-semantics 4.5). One pass is enough: what
 * was needed in a larger set is needed in a smaller one.
 */
final class Trimming {
  private final Problem problem;

  Trimming(Problem problem) {
    this.problem = problem;
  }

  /** Takes out the dearest superfluous member first; attempts before plans. */
  void trim(Selection selection) {
    Integer[] order = new Integer[selection.size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = selection.member(i);
    }
    Arrays.sort(order, this::dearestFirst);
    for (int c : order) {
      selection.remove(c);
      if (!selection.seats() || !selection.covers()) {
        selection.add(c);
      }
    }
  }

  private int dearestFirst(int a, int b) {
    int byKind = Boolean.compare(problem.plan[a], problem.plan[b]);
    if (byKind != 0) {
      return byKind;
    }
    int byCost = Long.compare(problem.cost[b], problem.cost[a]);
    return byCost != 0 ? byCost : Integer.compare(b, a);
  }
}
