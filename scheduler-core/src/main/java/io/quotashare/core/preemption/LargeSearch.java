package io.quotashare.core.preemption;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds a cheap admissible set among many candidates: greedy starts, then branch and bound over
 * what can still be better, or exchange of parts where that is too much.
 */
final class LargeSearch {
  /** Gangs that a greedy set is built around. */
  private static final int GANGS = 16;

  /** Part of the steps for branch and bound before parts are exchanged. */
  private static final int PROBE = 10;

  private final Problem problem;
  private final Limits limits;
  private final Completion completion;
  private final Budget budget;
  private final Choosing choosing;
  private boolean exact;

  LargeSearch(Problem problem, Limits limits) {
    this.problem = problem;
    this.limits = limits;
    this.budget = new Budget(limits.choiceSteps());
    this.completion = new Completion(problem, limits.proofSteps(), budget);
    this.choosing = new Choosing(problem, limits, new Dominance(problem, completion), budget);
  }

  /** Whether the set found is the best, and not only the best that was found. */
  boolean isExact() {
    return exact && !choosing.hasSkipped();
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
      if (isExact() && choosing.best() != null) {
        return choosing.best();
      }
    }
    start();
    if (choosing.best() == null) {
      return null;
    }
    Ranking ranking = new Ranking(problem);
    BranchAndBound search = new BranchAndBound(problem, choosing, ranking);
    exact = decide(search, limits.choiceSteps() / PROBE);
    if (!exact && search.mayFindCheaper()) {
      new Improving(problem, choosing, ranking, search)
          .run(search.undecided(), limits.swapRounds());
      exact = decide(search, limits.choiceSteps());
    }
    return choosing.best();
  }

  /** Whether branch and bound over what can still be better ends by itself. */
  private boolean decide(BranchAndBound search, int steps) {
    int[] undecided = search.undecided();
    return undecided.length <= limits.branching() && search.run(new int[0], undecided, steps);
  }

  /** Greedy sets by price, by priority before price, and with gangs counted in part. */
  private void start() {
    Selection selection = new Selection(problem);
    if (choosing.grow(selection, null)) {
      choosing.offer(selection);
    }
    long[][] weights = {byPriority(), spread()};
    for (long[] weight : weights) {
      selection.clear();
      if (new Growing(problem, limits.nodeSteps(), budget, weight).grow(selection, null)) {
        choosing.offer(selection);
      }
    }
    startFromGangs();
    selection.clear();
    if (choosing.best() == null && complete(selection)) {
      choosing.offer(selection);
    }
  }

  /** Sets around each of the gangs that are cheapest for what they free. */
  private void startFromGangs() {
    long[] weight = spread();
    int[] gangs = Arrays.stream(problem.all()).filter(c -> problem.nodesOf[c].length > 1).toArray();
    IntSort.sort(gangs, (a, b) -> Long.compare(weight[a], weight[b]));
    Selection selection = new Selection(problem);
    for (int i = 0; i < Math.min(GANGS, gangs.length); i++) {
      selection.clear();
      selection.add(gangs[i]);
      if (choosing.growing().growAround(selection)) {
        choosing.offer(selection);
      }
    }
  }

  private boolean complete(Selection selection) {
    return completion.complete(selection, problem.all()) == Completion.Outcome.FOUND;
  }

  /** Any attempt of a lower priority of a share weighs less than any of a higher one. */
  private long[] byPriority() {
    int[] rank = new int[problem.size()];
    long dearest = 0;
    int ranks = 1;
    for (int c = 0; c < rank.length; c++) {
      dearest = Math.max(dearest, problem.cost[c]);
      if (c > 0 && problem.share[c] == problem.share[c - 1] && !problem.plan[c]) {
        rank[c] = rank[c - 1] + (problem.isLower(c - 1, c) ? 1 : 0);
        ranks = Math.max(ranks, rank[c] + 1);
      }
    }
    long step = Math.min(dearest + 1, Problem.MAX_COST / ranks);
    long[] weight = new long[rank.length];
    for (int c = 0; c < weight.length; c++) {
      weight[c] = problem.cost[c] + rank[c] * step;
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
