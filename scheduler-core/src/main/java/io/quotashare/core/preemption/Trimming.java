package io.quotashare.core.preemption;

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
    drop(selection, -1);
  }

  /**
   * The same, but for one member.
   *
   * @return whether another was superfluous
   */
  boolean drop(Selection selection, int kept) {
    int size = selection.size();
    int[] order = selection.toArray();
    IntSort.sort(order, this::dearestFirst);
    for (int c : order) {
      if (c != kept) {
        selection.remove(c);
        if (!selection.seats() || !selection.covers()) {
          selection.add(c);
        }
      }
    }
    return selection.size() < size;
  }

  private int dearestFirst(int a, int b) {
    if (problem.plan[a] != problem.plan[b]) {
      return problem.plan[a] ? 1 : -1;
    }
    return problem.cost[a] != problem.cost[b]
        ? Long.compare(problem.cost[b], problem.cost[a])
        : Integer.compare(b, a);
  }
}
