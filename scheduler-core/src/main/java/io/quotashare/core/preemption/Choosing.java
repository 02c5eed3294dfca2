package io.quotashare.core.preemption;

import org.jspecify.annotations.Nullable;

/**
 * What the searches for a cheap set share: the best admissible set so far, the budget, and how a
 * feasible set becomes one that the rules allow.
 */
final class Choosing {
  private final Budget budget;
  private final Dominance dominance;
  private final Trimming trimming;
  private final Preference preference;
  private final Growing growing;
  private int @Nullable [] best;
  private long bestCost = Long.MAX_VALUE;
  private boolean skipped;

  Choosing(Problem problem, Limits limits, Dominance dominance, Budget budget) {
    this.budget = budget;
    this.dominance = dominance;
    this.trimming = new Trimming(problem);
    this.preference = new Preference(problem);
    this.growing = new Growing(problem, limits.nodeSteps(), budget, problem.cost);
  }

  /** The greedy way by price. */
  Growing growing() {
    return growing;
  }

  /** The best set so far, ascending; null while there is none. */
  int @Nullable [] best() {
    return best;
  }

  /** Cost of the best set; the largest number while there is none. */
  long bestCost() {
    return bestCost;
  }

  /** Whether a set was left aside because its test for stand-ins ended at a bound. */
  boolean hasSkipped() {
    return skipped;
  }

  /** Uses a step of the budget; false if there is none left. */
  boolean step() {
    return budget.spend(1);
  }

  boolean mayGoOn() {
    return !budget.isSpent();
  }

  /**
   * Grows a legal selection until it is feasible; false if this way leads nowhere.
   *
   * @param banned candidates that may not be taken; null for none
   */
  boolean grow(Selection selection, boolean @Nullable [] banned) {
    return growing.grow(selection, banned);
  }

  /** Grows a selection that seats the shape until the job may be charged. */
  boolean growCover(Selection selection) {
    return growing.grow(selection, null);
  }

  /** Takes out what a member makes superfluous; false if there was nothing. */
  boolean dropOthers(Selection selection, int kept) {
    return trimming.drop(selection, kept);
  }

  /**
   * Offers a feasible set: superfluous members are taken out, and attempts for which lower ones can
   * stand in are replaced. It is kept if it is the best so far.
   */
  void offer(Selection selection) {
    budget.spend(selection.size());
    trimming.trim(selection);
    if (!dominance.settle(selection, trimming, growing)) {
      skipped = true;
      return;
    }
    if (selection.cost() > bestCost) {
      return;
    }
    int[] set = selection.toArray();
    if (best == null || preference.compare(set, best) < 0) {
      best = set;
      bestCost = selection.cost();
    }
  }
}
