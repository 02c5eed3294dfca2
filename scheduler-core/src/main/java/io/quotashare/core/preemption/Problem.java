package io.quotashare.core.preemption;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A question as arrays: candidates, shares and nodes by number, in an order that does not depend on
 * the order of the question. Candidates are sorted by share, attempts before plans, then priority,
 * price, newest, job. What can be in no admissible set is left out; see {@link ProblemBuilder}.
 */
final class Problem {
  /** Own attempts have no limit that ends the taking. */
  static final int NO_BOUND = Integer.MAX_VALUE;

  /** Highest price that is told apart, in device-milliseconds: sums and products stay exact. */
  static final long MAX_COST = 1L << 46;

  /** By job; a plan before an attempt of the same job. */
  static final Comparator<Candidate> BY_NAME =
      Comparator.comparing(Candidate::job)
          .thenComparing(Candidate::kind, Comparator.reverseOrder());

  /** Nodes that must become large enough besides those that are; 0 or less if it sits already. */
  final int need;

  /** Devices that each node lacks, for those that may be completed. */
  final int[] deficit;

  /** Candidates that free devices on each node, ascending. */
  final int[][] candidatesAt;

  final Candidate[] candidates;
  final int[] share;
  final int[] gpus;
  final int[] priority;
  final long[] cost;
  final boolean[] plan;

  /** Nodes where each candidate frees devices, ascending. */
  final int[][] nodesOf;

  /** How many devices it frees on each of {@link #nodesOf}. */
  final int[][] freedOf;

  /** Use above the limit of each share; {@link #NO_BOUND} for the beneficiary's own. */
  final int[] above;

  /** Index of the first candidate of each share, and at the end the number of candidates. */
  final int[] first;

  final Cover cover;

  Problem(ProblemBuilder b) {
    this.need = b.need;
    this.deficit = b.deficit;
    this.candidatesAt = b.candidatesAt();
    this.candidates = b.candidates;
    this.share = b.share;
    this.nodesOf = b.nodesOf;
    this.freedOf = b.freedOf;
    this.above = b.above;
    this.cover = b.cover;
    int n = candidates.length;
    this.gpus = new int[n];
    this.priority = new int[n];
    this.cost = new long[n];
    this.plan = new boolean[n];
    this.first = new int[above.length + 1];
    Arrays.fill(first, n);
    for (int c = n - 1; c >= 0; c--) {
      gpus[c] = candidates[c].gpus();
      priority[c] = candidates[c].priority();
      cost[c] = Math.min(MAX_COST, candidates[c].costDeviceMillis());
      plan[c] = candidates[c].kind() == Candidate.Kind.PLAN;
      Arrays.fill(first, 0, share[c] + 1, c);
    }
  }

  /**
   * @param allowed those of the question's candidates that may be taken
   */
  static Problem of(Question question, List<Candidate> allowed) {
    return ProblemBuilder.of(question, allowed).build();
  }

  /** The same without some candidates. */
  Problem without(boolean[] barred) {
    for (boolean any : barred) {
      if (any) {
        return ProblemBuilder.without(this, barred).build();
      }
    }
    return this;
  }

  int size() {
    return candidates.length;
  }

  int shares() {
    return above.length;
  }

  /** Every candidate. */
  int[] all() {
    int[] all = new int[size()];
    Arrays.setAll(all, c -> c);
    return all;
  }

  /** Whether {@code other} is an attempt of lower priority than attempt {@code c} of its share. */
  boolean isLower(int other, int c) {
    return share[other] == share[c] && !plan[other] && !plan[c] && priority[other] < priority[c];
  }

  /** Whether {@code c} is an attempt of a share with a priority below a limit. */
  boolean isAttemptBelow(int c, int ofShare, int limit) {
    return c < first[ofShare + 1] && share[c] == ofShare && !plan[c] && priority[c] < limit;
  }

  /** Devices that taking {@code c} frees on {@code node}. */
  int freed(int c, int node) {
    int[] nodes = nodesOf[c];
    if (nodes.length == 1) {
      return nodes[0] == node ? freedOf[c][0] : 0;
    }
    int at = Arrays.binarySearch(nodes, node);
    return at < 0 ? 0 : freedOf[c][at];
  }
}
