package io.quotashare.core.preemption;

import java.util.Arrays;

/**
 * What the shape will cost at least, given what is taken and what may still be: each node filled
 * with the cheapest devices, the last candidate in part, and the price of a gang spread over its
 * devices; then the sum over as many of the cheapest nodes as are still needed.
 */
final class SeatBound {
  /** Taken off, so that rounding never makes a bound larger than the truth. */
  static final double ROUNDING = 1e-9;

  private final Problem problem;
  private final Ranking ranking;
  private int[] order = new int[0];
  private int[] nodes = new int[0];

  /** For each of {@link #nodes} the places in {@link #order} of the candidates there. */
  private int[][] places = new int[0][];

  private double[] cheapest = new double[0];

  SeatBound(Problem problem, Ranking ranking) {
    this.problem = problem;
    this.ranking = ranking;
  }

  /**
   * @param order what may be taken, cheapest devices first
   */
  void prepare(int[] order) {
    this.order = order;
    int[] slot = new int[problem.deficit.length];
    int[] count = new int[problem.deficit.length];
    int used = 0;
    nodes = new int[problem.deficit.length];
    for (int c : order) {
      for (int node : problem.nodesOf[c]) {
        if (count[node]++ == 0) {
          slot[node] = used;
          nodes[used++] = node;
        }
      }
    }
    nodes = Arrays.copyOf(nodes, used);
    places = new int[used][];
    for (int i = 0; i < used; i++) {
      places[i] = new int[count[nodes[i]]];
      count[nodes[i]] = 0;
    }
    for (int place = 0; place < order.length; place++) {
      for (int node : problem.nodesOf[order[place]]) {
        places[slot[node]][count[node]++] = place;
      }
    }
    cheapest = new double[Math.max(0, Math.min(problem.need, used))];
  }

  /**
   * @param from what stands before it in the order is decided
   * @return a lower bound of the price of what must still be taken; the largest number if the shape
   *     cannot sit
   */
  long atLeast(Selection taken, int from) {
    int wanted = problem.need - taken.completed();
    int count = 0;
    for (int i = 0; i < nodes.length && wanted > 0; i++) {
      if (!taken.completes(nodes[i])) {
        int missing = problem.deficit[nodes[i]] - taken.freed(nodes[i]);
        count = insert(fill(i, missing, from), count, wanted);
      }
    }
    return count < wanted ? Long.MAX_VALUE : rounded(sum(wanted));
  }

  /**
   * Which candidates can be in a set that costs no more than a limit when nothing is taken yet:
   * those on nodes that are cheap enough, and, where cover may need more than the shape, those that
   * are cheap enough to be taken besides.
   */
  int[] within(long limit) {
    int wanted = Math.max(0, problem.need);
    double[] bounds = new double[nodes.length];
    int count = 0;
    for (int i = 0; i < nodes.length && wanted > 0; i++) {
      bounds[i] = fill(i, problem.deficit[nodes[i]], 0);
      count = insert(bounds[i], count, wanted);
    }
    double others = wanted == 0 ? 0 : sum(Math.min(wanted - 1, count));
    boolean[] near = new boolean[problem.size()];
    for (int i = 0; i < nodes.length && wanted > 0; i++) {
      for (int place : places[i]) {
        near[order[place]] |= rounded(others + bounds[i]) <= limit;
      }
    }
    double all = sum(Math.min(wanted, count));
    boolean besides = !problem.cover.always();
    return Arrays.stream(order)
        .filter(c -> near[c] || (besides && rounded(all) <= limit - problem.cost[c]))
        .toArray();
  }

  private static long rounded(double sum) {
    return (long) Math.floor(sum - sum * ROUNDING);
  }

  private double sum(int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += cheapest[i];
    }
    return sum;
  }

  private double fill(int slot, int missing, int from) {
    int[] at = places[slot];
    int left = missing;
    double sum = 0;
    for (int i = firstNotBefore(at, from); i < at.length && left > 0; i++) {
      int c = order[at[i]];
      int devices = Math.min(left, problem.freed(c, nodes[slot]));
      sum += devices * ranking.price(c);
      left -= devices;
    }
    return left > 0 ? Double.POSITIVE_INFINITY : sum;
  }

  private static int firstNotBefore(int[] at, int from) {
    int first = 0;
    while (first < at.length && at[first] < from) {
      first++;
    }
    return first;
  }

  /** Puts a bound among the {@code wanted} cheapest; returns how many there are now. */
  private int insert(double bound, int count, int wanted) {
    if (bound == Double.POSITIVE_INFINITY || (count == wanted && cheapest[count - 1] <= bound)) {
      return count;
    }
    int place = count == wanted ? count - 1 : count;
    while (place > 0 && cheapest[place - 1] > bound) {
      cheapest[place] = cheapest[--place];
    }
    cheapest[place] = bound;
    return Math.min(count + 1, wanted);
  }
}
