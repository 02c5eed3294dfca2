package io.quotashare.core.preemption;

import java.util.Arrays;

/**
 * The cheapest candidates that complete one node, given what is taken already. Branch and bound
 * over the candidates there, most devices for the price first; a node holds few, so this is nearly
 * always exact.
 */
final class NodeFilling {
  /** Weight of a node that cannot be completed. */
  static final long IMPOSSIBLE = Long.MAX_VALUE;

  private final Problem problem;
  private final int stepsPerNode;

  private Selection selection;
  private long[] weight;
  private int[] items = new int[0];
  private int[] freed = new int[0];
  private int count;
  private final int[] extraTaken;
  private final int[] extraLargest;
  private int[] chosen = new int[0];
  private int chosenCount;
  private int[] best = new int[0];
  private long bestWeight;
  private int steps;

  NodeFilling(Problem problem, int stepsPerNode) {
    this.problem = problem;
    this.stepsPerNode = stepsPerNode;
    this.extraTaken = new int[problem.shares()];
    this.extraLargest = new int[problem.shares()];
  }

  /**
   * @param selection what is taken already; legal
   * @param weight what to minimize the sum of, by candidate
   * @param banned candidates that may not be taken
   * @return least weight; {@link #IMPOSSIBLE} if the node cannot be completed
   */
  long fill(Selection selection, int node, long[] weight, boolean[] banned) {
    this.selection = selection;
    this.weight = weight;
    int missing = problem.deficit[node] - selection.freed(node);
    best = new int[0];
    if (missing <= 0) {
      return 0;
    }
    collect(node, banned);
    bestWeight = IMPOSSIBLE;
    chosenCount = 0;
    steps = 0;
    long available = 0;
    for (int i = 0; i < count; i++) {
      available += freed[i];
    }
    branch(0, missing, available, 0);
    return bestWeight;
  }

  /** What the last {@link #fill} takes. */
  int[] best() {
    return best;
  }

  private void collect(int node, boolean[] banned) {
    int[] at = problem.candidatesAt[node];
    if (items.length < at.length) {
      items = new int[at.length];
      freed = new int[at.length];
      chosen = new int[at.length];
    }
    count = 0;
    for (int c : at) {
      if (!banned[c] && !selection.contains(c)) {
        int place = count++;
        int devices = problem.freed(c, node);
        while (place > 0 && isDearer(place - 1, weight[c], devices)) {
          items[place] = items[place - 1];
          freed[place] = freed[--place];
        }
        items[place] = c;
        freed[place] = devices;
      }
    }
  }

  private boolean isDearer(int place, long otherWeight, int otherFreed) {
    return weight[items[place]] * otherFreed > otherWeight * freed[place];
  }

  private void branch(int i, int missing, long available, long sum) {
    if (missing <= 0) {
      if (sum < bestWeight) {
        bestWeight = sum;
        best = Arrays.copyOf(chosen, chosenCount);
      }
      return;
    }
    if (available < missing || (steps++ >= stepsPerNode && bestWeight != IMPOSSIBLE)) {
      return;
    }
    if (bestWeight != IMPOSSIBLE && sum + missing * weight[items[i]] / freed[i] >= bestWeight) {
      return;
    }
    int c = items[i];
    int s = problem.share[c];
    int taken = extraTaken[s];
    int largest = extraLargest[s];
    extraTaken[s] = taken + problem.gpus[c];
    extraLargest[s] = Math.max(largest, problem.gpus[c]);
    if (isLegal(s)) {
      chosen[chosenCount++] = c;
      branch(i + 1, missing - freed[i], available - freed[i], sum + weight[c]);
      chosenCount--;
    }
    extraTaken[s] = taken;
    extraLargest[s] = largest;
    branch(i + 1, missing, available - freed[i], sum);
  }

  private boolean isLegal(int s) {
    int largest = Math.max(extraLargest[s], selection.largest(s));
    return selection.taken(s) + extraTaken[s] - largest < problem.above[s];
  }
}
