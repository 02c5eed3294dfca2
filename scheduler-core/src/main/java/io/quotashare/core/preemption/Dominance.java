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
  private final Budget budget;

  /** Index of the first candidate of each share; attempts come before plans. */
  private final int[] first;

  /** For each share, ascending: the priorities up to which it alone completes a node. */
  private final int[][] alone;

  private final int[] seenAt;
  private int visit;
  private boolean unknown;

  Dominance(Problem problem, Budget budget) {
    this.problem = problem;
    this.budget = budget;
    this.completion = new Completion(problem, budget);
    this.seenAt = new int[problem.deficit.length];
    this.first = new int[problem.shares() + 1];
    Arrays.fill(first, problem.size());
    for (int c = problem.size() - 1; c >= 0; c--) {
      Arrays.fill(first, 0, problem.share[c] + 1, c);
    }
    this.alone = completingPriorities();
  }

  /** Whether a test ended without result because the budget was spent. */
  boolean isUnknown() {
    return unknown;
  }

  private int[][] completingPriorities() {
    int[] count = new int[problem.shares()];
    int[][] found = new int[problem.shares()][problem.deficit.length];
    for (int node = 0; node < problem.deficit.length; node++) {
      int[] at = problem.candidatesAt[node];
      for (int i = 0; i < at.length; ) {
        int s = problem.share[at[i]];
        int missing = problem.deficit[node];
        for (; i < at.length && problem.share[at[i]] == s; i++) {
          int before = missing;
          missing -= problem.plan[at[i]] ? 0 : problem.freed(at[i], node);
          if (before > 0 && missing <= 0) {
            found[s][count[s]++] = problem.priority[at[i]];
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
      for (int c = first[s]; c < first[s + 1]; c++) {
        taken += problem.gpus[c];
        largest = Math.max(largest, problem.gpus[c]);
      }
      if (taken - largest < problem.above[s]) {
        barAbove(s, barred);
      }
    }
    return barred;
  }

  private void barAbove(int s, boolean[] barred) {
    if (alone[s].length < problem.need) {
      return;
    }
    int[] taken = new int[problem.shares()];
    int seated = problem.need <= 0 ? Integer.MIN_VALUE : alone[s][problem.need - 1];
    int c = first[s];
    while (c < first[s + 1] && !problem.plan[c]) {
      int priority = problem.priority[c];
      while (c < first[s + 1] && !problem.plan[c] && problem.priority[c] == priority) {
        taken[s] += problem.gpus[c++];
      }
      if (priority >= seated && problem.cover.allows(taken)) {
        break;
      }
    }
    for (; c < first[s + 1] && !problem.plan[c]; c++) {
      barred[c] = true;
    }
  }

  /** Whether lower attempts could stand in for a member. */
  boolean isDominated(Selection selection) {
    return replaceOne(selection, false);
  }

  /**
   * Replaces members by lower attempts until none could stand in. Ends, because the priorities in a
   * share only sink.
   *
   * @param selection admissible; stays so
   */
  void settle(Selection selection, Trimming trimming) {
    while (replaceOne(selection, true)) {
      trimming.trim(selection);
    }
  }

  private boolean replaceOne(Selection selection, boolean keepReplaced) {
    int[] set = selection.toArray();
    for (int i = set.length - 1; i >= 0; i--) {
      int c = set[i];
      if (problem.plan[c] || problem.priority[first[problem.share[c]]] >= problem.priority[c]) {
        continue;
      }
      selection.remove(c);
      int[] others = selection.toArray();
      boolean replaced = mayStandIn(selection, c) && standIn(selection, c);
      if (!replaced || !keepReplaced) {
        selection.set(others);
        selection.add(c);
      }
      if (replaced) {
        return true;
      }
    }
    return false;
  }

  /** Whether the others with all lower attempts seat and cover the job, 4.2 left aside. */
  private boolean mayStandIn(Selection others, int c) {
    budget.spend(1);
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
          int ofLower = 0;
          int notMembers = 0;
          for (int at : problem.candidatesAt[node]) {
            if (problem.share[at] == s && !problem.plan[at] && problem.priority[at] < limit) {
              int freed = problem.freed(at, node);
              ofLower += freed;
              notMembers += others.contains(at) ? 0 : freed;
            }
          }
          completed -= ofLower >= problem.deficit[node] ? 1 : 0;
          completed += others.freed(node) + notMembers >= problem.deficit[node] ? 1 : 0;
        }
      }
    }
    return completed;
  }

  private static int countBelow(int[] ascending, int limit) {
    int at = Arrays.binarySearch(ascending, limit);
    if (at < 0) {
      return -at - 1;
    }
    while (at > 0 && ascending[at - 1] == limit) {
      at--;
    }
    return at;
  }

  private boolean coversWith(Selection others, int s, int limit) {
    if (problem.cover.always()) {
      return true;
    }
    int[] taken = others.takenByShare();
    for (int c = first[s]; isLowerAttempt(c, s, limit); c++) {
      taken[s] += others.contains(c) ? 0 : problem.gpus[c];
    }
    return problem.cover.allows(taken);
  }

  private boolean isLowerAttempt(int c, int s, int limit) {
    return c < first[s + 1] && !problem.plan[c] && problem.priority[c] < limit;
  }

  private boolean standIn(Selection others, int c) {
    int s = problem.share[c];
    int[] lower = new int[first[s + 1] - first[s]];
    int count = 0;
    for (int at = first[s]; isLowerAttempt(at, s, problem.priority[c]); at++) {
      if (!others.contains(at)) {
        lower[count++] = at;
      }
    }
    Completion.Outcome outcome = completion.complete(others, Arrays.copyOf(lower, count));
    unknown |= outcome == Completion.Outcome.UNKNOWN;
    return outcome == Completion.Outcome.FOUND;
  }
}
