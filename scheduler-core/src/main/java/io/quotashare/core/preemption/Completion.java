package io.quotashare.core.preemption;

import java.util.Arrays;

/**
 * Whether a selection can be completed to a feasible one. Complete: it finds a way if there is one,
 * unless its budget ends first.
 *
 * <p>Taking more only ever helps the shape and the cover, so all optional candidates are taken and
 * then given back until no share loses too much (quota-semantics 4.2). Giving back in order of
 * uselessness nearly always succeeds; otherwise a depth-first search over "give back" and "keep"
 * decides, cut off as soon as the shape no longer sits or what must be kept is too much.
 */
final class Completion {
  /** What is known. */
  enum Outcome {
    /** The selection is feasible now. */
    FOUND,
    /** There is no way; the selection is as it was. */
    NONE,
    /** The budget ended; the selection is as it was. */
    UNKNOWN
  }

  private final Problem problem;
  private final Budget budget;

  Completion(Problem problem, Budget budget) {
    this.problem = problem;
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
    budget.spend(optional.length);
    if (!selection.seats() || !selection.covers()) {
      return Outcome.NONE;
    }
    if (selection.isLegal()) {
      return Outcome.FOUND;
    }
    int[] order = leastUsefulFirst(selection, optional);
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

  /**
   * Candidates of shares that lose too much: those first that help only nodes for which much of
   * such shares would be needed, so that what is kept at the end completes the easiest nodes.
   */
  private int[] leastUsefulFirst(Selection selection, int[] optional) {
    int[] missing = problem.deficit.clone();
    boolean[] bounded = new boolean[problem.size()];
    for (int c : optional) {
      bounded[c] = selection.violates(problem.share[c]);
    }
    for (int i = 0; i < selection.size(); i++) {
      int c = selection.member(i);
      for (int j = 0; j < problem.nodesOf[c].length && !bounded[c]; j++) {
        missing[problem.nodesOf[c][j]] -= problem.freedOf[c][j];
      }
    }
    long[] keys = new long[optional.length];
    int count = 0;
    for (int c : optional) {
      if (bounded[c]) {
        int easiest = Integer.MAX_VALUE >> 1;
        for (int node : problem.nodesOf[c]) {
          // Nodes that are complete without such shares need none of them.
          easiest = Math.min(easiest, missing[node] <= 0 ? easiest : missing[node]);
        }
        keys[count++] = ((long) -easiest << 32) | c;
      }
    }
    Arrays.sort(keys, 0, count);
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      order[i] = (int) keys[i];
    }
    return order;
  }

  private Outcome search(Selection selection, int[] forced, int[] order) {
    Selection kept = new Selection(problem);
    kept.set(forced);
    int[] trail = new int[order.length];
    int depth = 0;
    int next = 0;
    while (budget.spend(1)) {
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
