package io.quotashare.core.preemption;

/**
 * For a shape that lacks one node: every set on a node that could be the best is looked at. Nodes
 * come in the order of a lower bound of their price, so the search ends at the first that cannot
 * beat the best set found; usually after a few.
 */
final class OneNodeSearch implements NodeSubsets.Visitor {
  private final Problem problem;
  private final Choosing choosing;
  private final NodeSubsets subsets;
  private final Selection nothing;
  private final Selection offered;
  private boolean exact = true;

  OneNodeSearch(Problem problem, Choosing choosing, Limits limits) {
    this.problem = problem;
    this.choosing = choosing;
    this.subsets = new NodeSubsets(problem, limits.nodeSteps());
    this.nothing = new Selection(problem);
    this.offered = new Selection(problem);
  }

  /** Offers every set that may be the best; true if no bound ended it early. */
  boolean run() {
    long[] bound = new long[problem.deficit.length];
    for (int node = 0; node < bound.length; node++) {
      bound[node] = subsets.lowerBound(node, problem.cost);
    }
    boolean[] nothingBanned = new boolean[problem.size()];
    for (int node : IntSort.indices(bound.length, (a, b) -> Long.compare(bound[a], bound[b]))) {
      if (bound[node] > choosing.bestCost()) {
        break;
      }
      if (!choosing.mayGoOn() || !subsets.visit(nothing, node, problem.cost, nothingBanned, this)) {
        exact = false;
      }
    }
    return exact;
  }

  @Override
  public long limit() {
    return choosing.bestCost();
  }

  @Override
  public void found(int[] chosen, int count, long weight) {
    offered.clear();
    for (int i = 0; i < count; i++) {
      offered.add(chosen[i]);
    }
    if (!offered.covers()) {
      exact = false;
      if (!choosing.growCover(offered)) {
        return;
      }
    }
    choosing.offer(offered);
  }
}
