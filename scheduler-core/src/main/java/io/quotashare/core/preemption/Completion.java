package io.quotashare.core.preemption;

import java.util.Arrays;

/**
 * Whether a selection can be completed to a feasible one. Complete: it finds a way if there is one,
 * unless its bound of steps ends it first, and then it says so.
 *
 * <p>Taking more only ever helps the shape and the cover, so all optional candidates are taken and
 * then given back until no share loses too much (quota-semantics 4.2). Giving back in order of
 * uselessness nearly always succeeds. Otherwise it is counted whether the shares may lose as many
 * devices as the easiest nodes lack, and then a depth-first search over "give back" and "keep"
 * decides, cut off as soon as the shape no longer sits or what must be kept is too much.
 */
final class Completion {
  /** What is known. */
  enum Outcome {
    /** The selection is feasible now. */
    FOUND,
    /** There is no way; the selection is as it was. */
    NONE,
    /** The bound of steps was reached; the selection is as it was. */
    UNKNOWN
  }

  /** Candidates that are added and looked at in the time of one step of a choice. */
  private static final int PER_STEP = 8;

  private final Problem problem;

  private final int stepsPerSearch;
  private final Budget budget;

  /**
   * @param stepsPerSearch bound of the depth-first search
   * @param budget steps of the choice; what is done here is counted too, but not ended by it
   */
  Completion(Problem problem, int stepsPerSearch, Budget budget) {
    this.problem = problem;
    this.stepsPerSearch = stepsPerSearch;
    this.budget = budget;
  }

  /**
   * @param selection what must be taken; completed in place, superfluous members included
   * @param optional what may be taken besides
   */
  Outcome complete(Selection selection, int[] optional) {
    if (!selection.isLegal()) {
      return Outcome.NONE;
    }
    int[] forced = selection.toArray();
    budget.spend(optional.length / PER_STEP);
    for (int c : optional) {
      selection.add(c);
    }
    Outcome outcome = giveBack(selection, forced, optional);
    if (outcome != Outcome.FOUND) {
      selection.set(forced);
    }
    return outcome;
  }

  private Outcome giveBack(Selection selection, int[] forced, int[] optional) {
    if (!selection.seats() || !selection.covers()) {
      return Outcome.NONE;
    }
    if (selection.isLegal()) {
      return Outcome.FOUND;
    }
    boolean[] bounded = boundedShares(selection);
    int[] missing = missingWithoutBounded(selection, bounded);
    if (!isEnough(selection, bounded, missing)) {
      return Outcome.NONE;
    }
    int[] order = leastUsefulFirst(optional, bounded, missing);
    for (int c : order) {
      if (selection.violates(problem.share[c])) {
        selection.remove(c);
        if (!selection.seats() || !selection.covers()) {
          selection.add(c);
        }
      }
    }
    if (selection.isLegal()) {
      return Outcome.FOUND;
    }
    for (int c : order) {
      if (!selection.contains(c)) {
        selection.add(c);
      }
    }
    return search(selection, forced, order);
  }

  private boolean[] boundedShares(Selection selection) {
    boolean[] bounded = new boolean[problem.shares()];
    for (int s = 0; s < bounded.length; s++) {
      bounded[s] = selection.violates(s);
    }
    return bounded;
  }

  /** Devices that each node lacks when nothing is taken from the bounded shares. */
  private int[] missingWithoutBounded(Selection selection, boolean[] bounded) {
    int[] missing = problem.deficit.clone();
    for (int i = 0; i < selection.size(); i++) {
      int c = selection.member(i);
      for (int j = 0; j < problem.nodesOf[c].length && !bounded[problem.share[c]]; j++) {
        missing[problem.nodesOf[c][j]] -= problem.freedOf[c][j];
      }
    }
    return missing;
  }

  /** Whether the bounded shares may lose as many devices as the easiest nodes lack. */
  private boolean isEnough(Selection selection, boolean[] bounded, int[] missing) {
    long available = 0;
    for (int s = 0; s < bounded.length; s++) {
      available += bounded[s] ? problem.above[s] - 1L + selection.largest(s) : 0;
    }
    for (int i = 0; i < selection.size(); i++) {
      int c = selection.member(i);
      int freed = 0;
      for (int devices : problem.freedOf[c]) {
        freed += devices;
      }
      if (bounded[problem.share[c]] && freed > problem.gpus[c]) {
        return true;
      }
    }
    int[] easiest = missing.clone();
    Arrays.sort(easiest);
    for (int i = 0; i < problem.need; i++) {
      available -= Math.max(0, easiest[i]);
    }
    return available >= 0;
  }

  /**
   * Optional candidates of bounded shares: those first that help only nodes that lack much, so that
   * what is kept at the end completes the easiest nodes.
   */
  private int[] leastUsefulFirst(int[] optional, boolean[] bounded, int[] missing) {
    int[] hardness = new int[problem.size()];
    int[] order = new int[optional.length];
    int count = 0;
    for (int c : optional) {
      if (bounded[problem.share[c]]) {
        hardness[c] = Integer.MAX_VALUE;
        for (int node : problem.nodesOf[c]) {
          // Nodes that are complete without such shares need none of them.
          if (missing[node] > 0) {
            hardness[c] = Math.min(hardness[c], missing[node]);
          }
        }
        order[count++] = c;
      }
    }
    order = Arrays.copyOf(order, count);
    IntSort.sort(order, (a, b) -> Integer.compare(hardness[b], hardness[a]));
    return order;
  }

  private Outcome search(Selection selection, int[] forced, int[] order) {
    Selection kept = new Selection(problem);
    kept.set(forced);
    int[] trail = new int[order.length];
    int depth = 0;
    int next = 0;
    for (int step = 0; step < stepsPerSearch; step++) {
      budget.spend(step % PER_STEP == 0 ? 1 : 0);
      if (kept.isLegal() && selection.seats() && selection.covers()) {
        if (selection.isLegal()) {
          return Outcome.FOUND;
        }
        while (!selection.violates(problem.share[order[next]])) {
          next++;
        }
        selection.remove(order[next]);
        trail[depth++] = next++;
        continue;
      }
      while (depth > 0 && kept.contains(order[trail[depth - 1]])) {
        kept.remove(order[trail[--depth]]);
      }
      if (depth == 0) {
        return Outcome.NONE;
      }
      next = trail[depth - 1];
      selection.add(order[next]);
      kept.add(order[next++]);
    }
    return Outcome.UNKNOWN;
  }
}
