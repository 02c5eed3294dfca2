package io.quotashare.core.preemption;

import org.jspecify.annotations.Nullable;

/**
 * Finds a cheap admissible set among many candidates: greedy starts, then branch and bound over
 * what can still be better, or exchange of parts where that is too much.
 */
final class LargeSearch {
  private final Problem problem;
  private final Limits limits;
  private final Completion completion;
  private final Budget budget;
  private final Choosing choosing;
  private boolean exact;

  LargeSearch(Problem problem, Limits limits) {
    this.problem = problem;
    this.limits = limits;
    this.completion = new Completion(problem, limits.proofSteps());
    this.budget = new Budget(limits.choiceSteps());
    this.choosing = new Choosing(problem, limits, new Dominance(problem, completion), budget);
  }

  /** Whether the set found is the best, and not only the best that was found. */
  boolean isExact() {
    return exact;
  }

  /** The greedy way by price. */
  Growing growing() {
    return choosing.growing();
  }

  /** Whether there is an admissible set at all. */
  boolean isFeasible() {
    return choosing.grow(new Selection(problem), null) || complete(new Selection(problem));
  }

  /** The best admissible set found; null if there is none. */
  int @Nullable [] best() {
    if (problem.need == 1) {
      exact = new OneNodeSearch(problem, choosing, limits).run();
      if (exact && choosing.best() != null) {
        return choosing.best();
      }
    }
    start();
    if (choosing.best() == null) {
      return null;
    }
    Ranking ranking = new Ranking(problem);
    BranchAndBound search = new BranchAndBound(problem, choosing, ranking);
    int[] undecided = search.undecided();
    exact =
        undecided.length <= limits.branching()
            && search.run(new int[0], undecided, limits.choiceSteps() / 2);
    if (!exact) {
      new Improving(problem, choosing, ranking, search).run(undecided, limits.swapRounds());
    }
    return choosing.best();
  }

  /** Greedy sets by price, by priority before price, and with gangs counted in part. */
  private void start() {
    Selection selection = new Selection(problem);
    boolean found = choosing.grow(selection, null);
    if (found) {
      choosing.offer(selection);
    }
    long[][] weights = {byPriority(), spread()};
    for (long[] weight : weights) {
      selection.clear();
      Growing growing = new Growing(problem, limits.nodeSteps(), budget, weight);
      if (growing.grow(selection, null)) {
        choosing.offer(selection);
        found = true;
      }
    }
    selection.clear();
    if ((!found || choosing.best() == null) && complete(selection)) {
      choosing.offer(selection);
    }
  }

  private boolean complete(Selection selection) {
    return completion.complete(selection, problem.all()) == Completion.Outcome.FOUND;
  }

  /** Any attempt of a lower priority of a share weighs less than any of a higher one. */
  private long[] byPriority() {
    long dearest = 0;
    for (long cost : problem.cost) {
      dearest = Math.max(dearest, cost);
    }
    long[] weight = problem.cost.clone();
    int rank = 0;
    for (int c = 1; c < weight.length; c++) {
      boolean sameShare = problem.share[c] == problem.share[c - 1];
      rank = !sameShare ? 0 : problem.isLower(c - 1, c) ? rank + 1 : rank;
      weight[c] += problem.plan[c] ? 0 : rank * (dearest + 1);
    }
    return weight;
  }

  /** A gang weighs on each of its nodes only in part. */
  private long[] spread() {
    long[] weight = problem.cost.clone();
    for (int c = 0; c < weight.length; c++) {
      weight[c] /= Math.max(1, Math.min(problem.need, problem.nodesOf[c].length));
    }
    return weight;
  }
}
