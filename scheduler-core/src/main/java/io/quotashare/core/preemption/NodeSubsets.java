package io.quotashare.core.preemption;

/**
 * Looks at the sets of candidates that complete one node, given what is taken already: branch and
 * bound, most devices for the price first. The bound is the price of the cheapest devices, the last
 * candidate in part. A node holds few candidates, so this nearly always looks at all that matters.
 */
final class NodeSubsets {
  /** What is wanted of the sets. */
  interface Visitor {
    /** Only sets that weigh at most this are wanted. */
    long limit();

    /** A set that completes the node: the first {@code count} of {@code chosen}. */
    void found(int[] chosen, int count, long weight);
  }

  private final Problem problem;
  private final int stepsPerNode;
  private final int[] extraTaken;
  private final int[] extraLargest;

  private Selection selection;
  private long[] weight;
  private Visitor visitor;
  private int[] items = new int[8];
  private int[] freed = new int[8];
  private int count;
  private int[] chosen = new int[8];
  private int chosenCount;
  private int steps;

  NodeSubsets(Problem problem, int stepsPerNode) {
    this.problem = problem;
    this.stepsPerNode = stepsPerNode;
    this.extraTaken = new int[problem.shares()];
    this.extraLargest = new int[problem.shares()];
    this.selection = new Selection(problem);
    this.weight = problem.cost;
    this.visitor = new Lightest();
  }

  /** Keeps the lightest set. */
  static final class Lightest implements Visitor {
    /** Weight while there is no set. */
    static final long NONE = Long.MAX_VALUE;

    private int[] best = new int[0];
    private long bestWeight = NONE;

    @Override
    public long limit() {
      return bestWeight - 1;
    }

    @Override
    public void found(int[] chosen, int count, long weight) {
      best = java.util.Arrays.copyOf(chosen, count);
      bestWeight = weight;
    }

    int[] best() {
      return best;
    }

    long weight() {
      return bestWeight;
    }
  }

  /**
   * A lower bound of the weight of the sets that complete a node when nothing is taken, 4.2 left
   * aside.
   */
  long lowerBound(int node, long[] weight) {
    this.weight = weight;
    collect(node, null, null);
    return lowerBound(0, problem.deficit[node]);
  }

  /**
   * @param selection what is taken already; legal
   * @param weight what to minimize the sum of, by candidate
   * @param banned candidates that may not be taken
   * @return false if the bound of steps ended it early
   */
  boolean visit(Selection selection, int node, long[] weight, boolean[] banned, Visitor visitor) {
    this.selection = selection;
    this.weight = weight;
    this.visitor = visitor;
    collect(node, selection, banned);
    long available = 0;
    for (int i = 0; i < count; i++) {
      available += freed[i];
    }
    chosenCount = 0;
    steps = 0;
    branch(0, problem.deficit[node] - selection.freed(node), available, 0);
    return steps <= stepsPerNode;
  }

  private void collect(int node, Selection taken, boolean[] banned) {
    int[] at = problem.candidatesAt[node];
    if (items.length < at.length) {
      items = new int[at.length];
      freed = new int[at.length];
      chosen = new int[at.length];
    }
    count = 0;
    for (int c : at) {
      if (taken != null && (banned[c] || taken.contains(c))) {
        continue;
      }
      int place = count++;
      int devices = problem.freed(c, node);
      while (place > 0 && isDearer(place - 1, c, devices)) {
        items[place] = items[place - 1];
        freed[place] = freed[--place];
      }
      items[place] = c;
      freed[place] = devices;
    }
  }

  private boolean isDearer(int place, int c, int devices) {
    return weight[items[place]] * devices > weight[c] * freed[place];
  }

  private long lowerBound(int from, int missing) {
    long sum = 0;
    int left = missing;
    for (int i = from; i < count && left > 0; i++) {
      long w = weight[items[i]];
      sum += left >= freed[i] ? w : w * left / freed[i];
      left -= freed[i];
    }
    return sum;
  }

  private void branch(int i, int missing, long available, long sum) {
    if (missing <= 0) {
      visitor.found(chosen, chosenCount, sum);
      return;
    }
    if (available < missing || steps++ >= stepsPerNode) {
      return;
    }
    if (sum + lowerBound(i, missing) > visitor.limit()) {
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
