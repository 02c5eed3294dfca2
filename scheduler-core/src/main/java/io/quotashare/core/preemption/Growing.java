package io.quotashare.core.preemption;

import org.jspecify.annotations.Nullable;

/**
 * Completes a selection greedily: the cheapest node first until the shape sits, then the cheapest
 * devices until the job may be charged.
 *
 * <p>The cheapest way to complete each node on its own is worked out once. It stays the cheapest
 * while nothing of the selection touches the node, so only touched nodes are worked out again.
 */
final class Growing {
  private final Problem problem;
  private final NodeSubsets subsets;
  private final Budget budget;
  private final long[] weight;
  private final boolean[] nothingBanned;
  private final long[] weightOf;
  private final int[][] wayOf;

  /** Nodes by the weight of their cheapest way; null until they are needed. */
  private int @Nullable [] order;

  /** Candidates with the cheapest devices first; null until they are needed. */
  private int @Nullable [] cheapest;

  /** The way found by {@link #findCheapestNode}. */
  private int[] way = new int[0];

  private long wayWeight;

  /**
   * @param weight what to minimize the sum of, by candidate
   */
  Growing(Problem problem, int stepsPerNode, Budget budget, long[] weight) {
    this.problem = problem;
    this.subsets = new NodeSubsets(problem, stepsPerNode);
    this.budget = budget;
    this.weight = weight;
    this.nothingBanned = new boolean[problem.size()];
    this.weightOf = new long[problem.deficit.length];
    this.wayOf = new int[problem.deficit.length][];
  }

  /**
   * Adds to a selection until it is feasible.
   *
   * @param selection legal
   * @param banned candidates that may not be taken; null for none
   * @return false if this way leads nowhere; the selection then has superfluous members
   */
  boolean grow(Selection selection, boolean @Nullable [] banned) {
    boolean[] not = banned == null ? nothingBanned : banned;
    while (!selection.seats()) {
      if (!findCheapestNode(selection, not)) {
        return false;
      }
      for (int c : way) {
        selection.add(c);
      }
    }
    return growCover(selection, not);
  }

  /** The same, but the first node to be completed is one that the selection touches, if any. */
  boolean growAround(Selection selection) {
    wayWeight = NodeSubsets.Lightest.NONE;
    workTouched(selection, nothingBanned);
    if (wayWeight != NodeSubsets.Lightest.NONE && !selection.seats()) {
      for (int c : way) {
        selection.add(c);
      }
    }
    return grow(selection, null);
  }

  private int[] order() {
    if (order == null) {
      Selection nothing = new Selection(problem);
      for (int node = 0; node < wayOf.length; node++) {
        NodeSubsets.Lightest lightest = new NodeSubsets.Lightest();
        subsets.visit(nothing, node, weight, nothingBanned, lightest);
        weightOf[node] = lightest.weight();
        wayOf[node] = lightest.best();
      }
      order = IntSort.indices(wayOf.length, (a, b) -> Long.compare(weightOf[a], weightOf[b]));
    }
    return order;
  }

  private boolean findCheapestNode(Selection selection, boolean[] banned) {
    wayWeight = NodeSubsets.Lightest.NONE;
    workTouched(selection, banned);
    for (int node : order()) {
      if (weightOf[node] >= wayWeight) {
        break;
      }
      if (selection.freed(node) == 0) {
        if (isOpen(selection, wayOf[node], banned)) {
          wayWeight = weightOf[node];
          way = wayOf[node];
          break;
        }
        work(selection, node, banned);
      }
    }
    return wayWeight != NodeSubsets.Lightest.NONE;
  }

  private void workTouched(Selection selection, boolean[] banned) {
    for (int i = 0; i < selection.size(); i++) {
      for (int node : problem.nodesOf[selection.member(i)]) {
        if (!selection.completes(node)) {
          work(selection, node, banned);
        }
      }
    }
  }

  private void work(Selection selection, int node, boolean[] banned) {
    budget.spend(problem.candidatesAt[node].length);
    NodeSubsets.Lightest lightest = new NodeSubsets.Lightest();
    subsets.visit(selection, node, weight, banned, lightest);
    if (lightest.weight() < wayWeight) {
      wayWeight = lightest.weight();
      way = lightest.best();
    }
  }

  private static boolean isOpen(Selection selection, int[] way, boolean[] banned) {
    for (int c : way) {
      if (banned[c] || selection.contains(c)) {
        return false;
      }
    }
    for (int c : way) {
      selection.add(c);
    }
    boolean legal = selection.isLegal();
    for (int c : way) {
      selection.remove(c);
    }
    return legal;
  }

  private boolean growCover(Selection selection, boolean[] banned) {
    if (selection.covers()) {
      return true;
    }
    if (cheapest == null) {
      cheapest = IntSort.indices(problem.size(), this::cheapestDevicesFirst);
    }
    for (int c : cheapest) {
      if (banned[c] || selection.contains(c)) {
        continue;
      }
      selection.add(c);
      if (!selection.isLegal()) {
        selection.remove(c);
      } else if (selection.covers()) {
        budget.spend(selection.size());
        return true;
      }
    }
    return false;
  }

  private int cheapestDevicesFirst(int a, int b) {
    return Double.compare(
        (double) weight[a] / Math.max(1, problem.gpus[a]),
        (double) weight[b] / Math.max(1, problem.gpus[b]));
  }
}
