package io.quotashare.core.preemption;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every set of few candidates: quota-semantics 4.5 as it is written. Sets are bit masks;
 * 2^n steps to find those that are feasible, then each admissible one in order of preference is
 * tested for stand-ins until one has none.
 */
final class ExhaustiveSearch {
  private final Problem problem;
  private final BitSet feasible;
  private final int[] lower;

  ExhaustiveSearch(Problem problem) {
    this.problem = problem;
    this.feasible = new BitSet(1 << problem.size());
    markFeasible(new Selection(problem), 0, 0);
    this.lower = lowerAttempts();
  }

  /** The best admissible set; null if there is none. */
  int @Nullable [] best() {
    List<int[]> admissible = new ArrayList<>();
    for (int set = feasible.nextSetBit(0); set >= 0; set = feasible.nextSetBit(set + 1)) {
      if (hasNoSuperfluousMember(set)) {
        admissible.add(members(set));
      }
    }
    admissible.sort(new Preference(problem));
    for (int[] set : admissible) {
      if (!hasStandIns(set)) {
        return set;
      }
    }
    return null;
  }

  private void markFeasible(Selection selection, int set, int next) {
    if (!selection.isLegal()) {
      return;
    }
    if (next == problem.size()) {
      feasible.set(set, selection.seats() && selection.covers());
      return;
    }
    markFeasible(selection, set, next + 1);
    selection.add(next);
    markFeasible(selection, set | 1 << next, next + 1);
    selection.remove(next);
  }

  private boolean hasNoSuperfluousMember(int set) {
    for (int rest = set; rest != 0; rest &= rest - 1) {
      if (feasible.get(set ^ Integer.lowestOneBit(rest))) {
        return false;
      }
    }
    return true;
  }

  /** Whether attempts of lower priority that are left could stand in, quota-semantics 4.5 (ii). */
  private boolean hasStandIns(int[] members) {
    int set = mask(members);
    for (int c : members) {
      int others = set ^ 1 << c;
      int left = lower[c] & ~set;
      for (int standIns = left; standIns != 0; standIns = (standIns - 1) & left) {
        if (feasible.get(others | standIns)) {
          return true;
        }
      }
    }
    return false;
  }

  /** For each attempt those of its share with lower priority; for plans none. */
  private int[] lowerAttempts() {
    int[] masks = new int[problem.size()];
    for (int c = 0; c < masks.length; c++) {
      for (int other = 0; other < masks.length; other++) {
        if (problem.isLower(other, c)) {
          masks[c] |= 1 << other;
        }
      }
    }
    return masks;
  }

  private static int mask(int[] members) {
    int mask = 0;
    for (int c : members) {
      mask |= 1 << c;
    }
    return mask;
  }

  private static int[] members(int set) {
    int[] members = new int[Integer.bitCount(set)];
    int rest = set;
    for (int i = 0; i < members.length; i++) {
      members[i] = Integer.numberOfTrailingZeros(rest);
      rest &= rest - 1;
    }
    return members;
  }
}
