package io.quotashare.core.preemption;

import java.util.Arrays;

/**
 * Rule (ii) of quota-semantics 4.5 for sets of any size: inside one share no attempt is taken if
 * attempts of lower priority that are left there could stand in for it.
 *
 * <p>A member is tested by taking it out and all lower attempts of its share in. For most members
 * that is decided from sums that are prepared once: the priority up to which a share alone
 * completes each node. Only where 4.2 forbids to take all lower ones a search follows.
 */
final class Dominance {
  private final Problem problem;
  private final Completion completion;

  /** For each share, ascending: the priorities up to which it alone completes a node. */
  private final int[][] alone;

  private final int[] seenAt;
  private int visit;

  Dominance(Problem problem, Completion completion) {
    this.problem = problem;
    this.completion = completion;
    this.seenAt = new int[problem.deficit.length];
    this.alone = completingPriorities();
  }

  private int[][] completingPriorities() {
    int[] count = new int[problem.shares()];
    int[][] found = new int[problem.shares()][8];
    for (int node = 0; node < problem.deficit.length; node++) {
      int s = -1;
      int missing = 0;
      for (int c : problem.candidatesAt[node]) {
        if (problem.share[c] != s) {
          s = problem.share[c];
          missing = problem.deficit[node];
        }
        if (missing > 0 && !problem.plan[c]) {
          missing -= problem.freed(c, node);
          if (missing <= 0) {
            if (count[s] == found[s].length) {
              found[s] = Arrays.copyOf(found[s], 2 * count[s]);
            }
            found[s][count[s]++] = problem.priority[c];
          }
        }
      }
    }
    for (int s = 0; s < found.length; s++) {
      found[s] = Arrays.copyOf(found[s], count[s]);
      Arrays.sort(found[s]);
    }
    return found;
  }

  /**
   * The candidates that can be in no set that rule (ii) allows: attempts above the priority up to
   * which their share could do all alone, where 4.2 does not limit what is taken from it.
   */
  boolean[] barred() {
    boolean[] barred = new boolean[problem.size()];
    for (int s = 0; s < problem.shares(); s++) {
      long taken = 0;
      int largest = 0;
      for (int c = problem.first[s]; c < problem.first[s + 1]; c++) {
        taken += problem.gpus[c];
        largest = Math.max(largest, problem.gpus[c]);
      }
      if (taken - largest < problem.above[s] && alone[s].length >= problem.need) {
        barAbove(s, barred);
      }
    }
    return barred;
  }

  private void barAbove(int s, boolean[] barred) {
    int[] taken = new int[problem.shares()];
    int seated = problem.need <= 0 ? Integer.MIN_VALUE : alone[s][problem.need - 1];
    int c = problem.first[s];
    while (c < problem.first[s + 1] && !problem.plan[c]) {
      int priority = problem.priority[c];
      while (c < problem.first[s + 1] && !problem.plan[c] && problem.priority[c] == priority) {
        taken[s] += problem.gpus[c++];
      }
      if (priority >= seated && problem.cover.allows(taken)) {
        break;
      }
    }
    for (; c < problem.first[s + 1] && !problem.plan[c]; c++) {
      barred[c] = true;
    }
  }

  /**
   * Replaces members by lower attempts until none could stand in. Ends, because the priorities in a
   * share only sink.
   *
   * @param selection admissible; stays so
   * @return false if the bound of the systematic search ended a test without a result
   */
  boolean settle(Selection selection, Trimming trimming, Growing growing) {
    while (true) {
      Completion.Outcome outcome = replaceOne(selection, growing);
      if (outcome != Completion.Outcome.FOUND) {
        return outcome == Completion.Outcome.NONE;
      }
      trimming.trim(selection);
    }
  }

  private Completion.Outcome replaceOne(Selection selection, Growing growing) {
    int[] set = selection.toArray();
    for (int i = set.length - 1; i >= 0; i--) {
      int c = set[i];
      if (!problem.isLower(problem.first[problem.share[c]], c)) {
        continue;
      }
      selection.remove(c);
      if (mayStandIn(selection, c)) {
        int[] others = selection.toArray();
        Completion.Outcome outcome = completion.complete(selection, lowerLeft(selection, c));
        if (outcome == Completion.Outcome.FOUND) {
          growCheaper(selection, others, c, growing);
        }
        if (outcome != Completion.Outcome.NONE) {
          return outcome;
        }
      }
      selection.add(c);
    }
    return Completion.Outcome.NONE;
  }

  /** Whether the others with all lower attempts seat and cover the job, 4.2 left aside. */
  private boolean mayStandIn(Selection others, int c) {
    int s = problem.share[c];
    int limit = problem.priority[c];
    return completedWith(others, s, limit) >= problem.need && coversWith(others, s, limit);
  }

  private int completedWith(Selection others, int s, int limit) {
    int completed = countBelow(alone[s], limit);
    visit++;
    for (int i = 0; i < others.size(); i++) {
      for (int node : problem.nodesOf[others.member(i)]) {
        if (seenAt[node] != visit) {
          seenAt[node] = visit;
          completed += correction(others, node, s, limit);
        }
      }
    }
    return completed;
  }

  /** 1 if the others complete a node that the lower attempts alone do not; else 0. */
  private int correction(Selection others, int node, int s, int limit) {
    int lower = 0;
    int more = others.freed(node);
    for (int c : problem.candidatesAt[node]) {
      if (problem.isAttemptBelow(c, s, limit)) {
        int freed = problem.freed(c, node);
        lower += freed;
        more += others.contains(c) ? 0 : freed;
      }
    }
    return lower < problem.deficit[node] && more >= problem.deficit[node] ? 1 : 0;
  }

  private static int countBelow(int[] ascending, int limit) {
    int low = 0;
    int high = ascending.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ascending[middle] < limit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean coversWith(Selection others, int s, int limit) {
    if (others.covers()) {
      return true;
    }
    int[] taken = others.takenByShare();
    for (int c = problem.first[s]; problem.isAttemptBelow(c, s, limit); c++) {
      taken[s] += others.contains(c) ? 0 : problem.gpus[c];
    }
    return problem.cover.allows(taken);
  }

  /** Attempts of the share of {@code c} with a lower priority that are not taken. */
  private int[] lowerLeft(Selection others, int c) {
    int s = problem.share[c];
    int[] lower = new int[problem.first[s + 1] - problem.first[s]];
    int count = 0;
    for (int at = problem.first[s]; problem.isAttemptBelow(at, s, problem.priority[c]); at++) {
      if (!others.contains(at)) {
        lower[count++] = at;
      }
    }
    return Arrays.copyOf(lower, count);
  }

  /** Takes stand-ins that are cheap rather than just any, if the greedy way finds some. */
  private void growCheaper(Selection selection, int[] others, int c, Growing growing) {
    int s = problem.share[c];
    boolean[] banned = new boolean[problem.size()];
    Arrays.fill(banned, true);
    for (int at = problem.first[s]; problem.isAttemptBelow(at, s, problem.priority[c]); at++) {
      banned[at] = false;
    }
    int[] any = selection.toArray();
    selection.set(others);
    if (!growing.grow(selection, banned)) {
      selection.set(any);
    }
  }
}
