package io.quotashare.core.preemption;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds a cheap admissible set among many candidates. */
final class LargeSearch {
  private final Problem problem;
  private final Budget proof;
  private final Dominance dominance;
  private final Trimming trimming;
  private final Preference preference;
  private final NodeFilling filling;
  private final boolean[] banned;
  private int @Nullable [] best;

  LargeSearch(Problem problem, Limits limits) {
    this.problem = problem;
    this.proof = new Budget(limits.proofSteps());
    this.dominance = new Dominance(problem, proof);
    this.trimming = new Trimming(problem);
    this.preference = new Preference(problem);
    this.filling = new NodeFilling(problem, limits.nodeSteps());
    this.banned = dominance.barred();
  }

  /** The best admissible set found; null if there is none. */
  int @Nullable [] best() {
    Selection selection = new Selection(problem);
    if (!new Growing(problem, filling, problem.cost, banned).grow(selection)) {
      selection.clear();
      int[] all = new int[problem.size()];
      Arrays.setAll(all, c -> c);
      if (new Completion(problem, proof).complete(selection, all) != Completion.Outcome.FOUND) {
        return null;
      }
    }
    offer(selection);
    return best;
  }

  private void offer(Selection selection) {
    trimming.trim(selection);
    dominance.settle(selection, trimming);
    int[] set = selection.toArray();
    if (best == null || preference.compare(set, best) < 0) {
      best = set;
    }
  }
}
