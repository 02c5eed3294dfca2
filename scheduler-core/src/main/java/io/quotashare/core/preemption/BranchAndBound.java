package io.quotashare.core.preemption;

/**
 * Looks at all sets of some candidates, but for those that cannot be the best: a depth-first search
 * over "take" and "leave", cheapest devices first, that turns back where the price is too high
 * ({@link SeatBound}), where 4.2 is broken, or where even all that is not decided would not do.
 */
final class BranchAndBound {
  private final Problem problem;
  private final Choosing choosing;
  private final Ranking ranking;
  private final SeatBound bound;

  /** What is taken. */
  private final Selection taken;

  /** The same with all that is not decided. */
  private final Selection possible;

  private final Selection offered;
  private int[] order = new int[0];
  private int stepsLeft;

  BranchAndBound(Problem problem, Choosing choosing, Ranking ranking) {
    this.problem = problem;
    this.choosing = choosing;
    this.ranking = ranking;
    this.bound = new SeatBound(problem, ranking);
    this.taken = new Selection(problem);
    this.possible = new Selection(problem);
    this.offered = new Selection(problem);
  }

  /** Whether the best set so far costs more than the shape must cost at least. */
  boolean mayFindCheaper() {
    prepareAll();
    long least = bound.atLeast(new Selection(problem), 0);
    return choosing.bestCost() - least > 1 + (long) (least * SeatBound.ROUNDING);
  }

  /** The candidates that may be in a set that is better than the best so far. */
  int[] undecided() {
    prepareAll();
    return bound.within(choosing.bestCost());
  }

  private void prepareAll() {
    int[] all = problem.all();
    ranking.sort(all);
    bound.prepare(all);
  }

  /**
   * Offers every set that may be the best.
   *
   * @param kept what is taken in any case
   * @param free what may be taken or left; the rest is left
   * @param steps after this many steps it ends
   * @return false if it ended early
   */
  boolean run(int[] kept, int[] free, int steps) {
    order = free.clone();
    ranking.sort(order);
    bound.prepare(order);
    taken.set(kept);
    possible.set(kept);
    for (int c : order) {
      possible.add(c);
    }
    stepsLeft = steps;
    branch(0, true);
    return stepsLeft >= 0 && choosing.mayGoOn();
  }

  private void branch(int i, boolean left) {
    if (--stepsLeft < 0 || !choosing.step() || !taken.isLegal() || isTooDear(i)) {
      return;
    }
    if (left && !(possible.seats() && possible.covers())) {
      return;
    }
    if (taken.seats() && taken.covers()) {
      offered.set(taken.toArray());
      choosing.offer(offered);
      return;
    }
    int c = order[i];
    taken.add(c);
    branch(i + 1, false);
    taken.remove(c);
    possible.remove(c);
    branch(i + 1, true);
    possible.add(c);
  }

  private boolean isTooDear(int i) {
    long limit = choosing.bestCost() - taken.cost();
    return limit < 0 || bound.atLeast(taken, i) > limit;
  }
}
