package io.quotashare.core.preemption;

import java.util.Arrays;

/** Candidates in the order of the price of a device that they free where it counts. */
final class Ranking {
  private final double[] price;

  Ranking(Problem problem) {
    this.price = new double[problem.size()];
    for (int c = 0; c < price.length; c++) {
      int useful = 0;
      for (int i = 0; i < problem.nodesOf[c].length; i++) {
        useful += Math.min(problem.freedOf[c][i], problem.deficit[problem.nodesOf[c][i]]);
      }
      // What frees nothing for the shape can still serve the cover.
      int devices = useful > 0 ? useful : Math.max(1, problem.gpus[c]);
      price[c] = (double) problem.cost[c] / devices;
    }
  }

  /** Price of a device that a candidate frees where it counts. */
  double price(int c) {
    return price[c];
  }

  /** Sorts candidates, cheapest devices first. */
  void sort(int[] candidates) {
    IntSort.sort(
        candidates,
        (a, b) -> {
          int byPrice = Double.compare(price[a], price[b]);
          return byPrice != 0 ? byPrice : Integer.compare(a, b);
        });
  }

  /** The cheapest of some candidates, in order. */
  int[] cheapest(int[] candidates, int atMost) {
    int[] sorted = candidates.clone();
    sort(sorted);
    return Arrays.copyOf(sorted, Math.min(sorted.length, atMost));
  }
}
