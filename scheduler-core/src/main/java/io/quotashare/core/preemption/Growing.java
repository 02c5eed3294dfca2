package io.quotashare.core.preemption;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Completes a selection greedily: the cheapest node first until the shape sits, then the cheapest
 * devices until the job may be charged. Remembers the cheapest way to complete each node, and works
 * it out again only for nodes that what is taken touches.
 */
final class Growing {
  private final Problem problem;
  private final NodeFilling filling;
  private final long[] weight;
  private final boolean[] banned;
  private final long[] weightOf;
  private final int[] @Nullable [] wayOf;

  /**
   * @param weight what to minimize the sum of, by candidate
   * @param banned candidates that may not be taken
   */
  Growing(Problem problem, NodeFilling filling, long[] weight, boolean[] banned) {
    this.problem = problem;
    this.filling = filling;
    this.weight = weight;
    this.banned = banned;
    this.weightOf = new long[problem.deficit.length];
    this.wayOf = new int[problem.deficit.length][];
  }

  /**
   * Adds to a selection until it is feasible.
   *
   * @param selection legal
   * @return false if this way leads nowhere; the selection then has superfluous members
   */
  boolean grow(Selection selection) {
    Arrays.fill(wayOf, null);
    while (!selection.seats()) {
      int node = cheapestNode(selection);
      if (node < 0) {
        return false;
      }
      for (int c : wayOf[node]) {
        selection.add(c);
        for (int touched : problem.nodesOf[c]) {
          wayOf[touched] = null;
        }
      }
    }
    return selection.covers() || growCover(selection);
  }

  private int cheapestNode(Selection selection) {
    while (true) {
      int best = -1;
      for (int node = 0; node < weightOf.length; node++) {
        if (selection.completes(node)) {
          continue;
        }
        if (wayOf[node] == null) {
          work(selection, node);
        }
        if (weightOf[node] != NodeFilling.IMPOSSIBLE
            && (best < 0 || weightOf[node] < weightOf[best])) {
          best = node;
        }
      }
      if (best < 0 || isStillLegal(selection, wayOf[best])) {
        return best;
      }
      wayOf[best] = null;
    }
  }

  private void work(Selection selection, int node) {
    weightOf[node] = filling.fill(selection, node, weight, banned);
    wayOf[node] = filling.best();
  }

  private boolean isStillLegal(Selection selection, int[] way) {
    for (int c : way) {
      selection.add(c);
    }
    boolean legal = selection.isLegal();
    for (int c : way) {
      selection.remove(c);
    }
    return legal;
  }

  /** Adds the cheapest devices until the job may be charged. */
  private boolean growCover(Selection selection) {
    Integer[] order = new Integer[problem.size()];
    Arrays.setAll(order, c -> c);
    Arrays.sort(order, this::cheapestDevicesFirst);
    for (int c : order) {
      if (!banned[c] && !selection.contains(c)) {
        selection.add(c);
        if (!selection.isLegal()) {
          selection.remove(c);
        } else if (selection.covers()) {
          return true;
        }
      }
    }
    return false;
  }

  private int cheapestDevicesFirst(int a, int b) {
    int byPrice = Long.compare(weight[a] * problem.gpus[b], weight[b] * problem.gpus[a]);
    return byPrice != 0 ? byPrice : Integer.compare(a, b);
  }
}
