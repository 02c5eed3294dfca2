package io.quotashare.core.preemption;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Exchanges parts of the best set for cheaper ones, in rounds, until a round brings nothing:
 *
 * <ul>
 *   <li>each member is banned in turn, and what it did is done otherwise;
 *   <li>each other candidate is added in turn, and what it makes superfluous is taken out;
 *   <li>a few members and a few others, cheap ones or those around a gang, are decided anew
 *       together by branch and bound.
 * </ul>
 */
final class Improving {
  /** Members that are decided anew together. */
  private static final int MEMBERS = 8;

  /** Others that are decided together with them. */
  private static final int OTHERS = 14;

  /** Others that are looked at in a round. */
  private static final int OTHERS_PER_ROUND = 70;

  /** Steps of one branch and bound. */
  private static final int STEPS = 512;

  private final Problem problem;
  private final Choosing choosing;
  private final Ranking ranking;
  private final BranchAndBound search;
  private final Selection selection;
  private final boolean[] banned;

  Improving(Problem problem, Choosing choosing, Ranking ranking, BranchAndBound search) {
    this.problem = problem;
    this.choosing = choosing;
    this.ranking = ranking;
    this.search = search;
    this.selection = new Selection(problem);
    this.banned = new boolean[problem.size()];
  }

  /**
   * @param promising the candidates that may be in a better set
   */
  void run(int[] promising, int rounds) {
    for (int round = 0; round < rounds && choosing.mayGoOn(); round++) {
      selection.set(best());
      int[] others =
          ranking.cheapest(
              Arrays.stream(promising).filter(c -> !selection.contains(c)).toArray(),
              OTHERS_PER_ROUND);
      int[] before = choosing.best();
      replaceMembers();
      addOthers(others);
      decideAnew(others);
      if (choosing.best() == before) {
        return;
      }
    }
  }

  private int[] best() {
    int[] best = choosing.best();
    return best == null ? new int[0] : best;
  }

  private void replaceMembers() {
    for (int c : best()) {
      selection.set(best());
      if (choosing.mayGoOn() && selection.contains(c)) {
        selection.remove(c);
        banned[c] = true;
        if (choosing.grow(selection, banned)) {
          choosing.offer(selection);
        }
        banned[c] = false;
      }
    }
  }

  private void addOthers(int[] others) {
    for (int c : others) {
      selection.set(best());
      if (choosing.mayGoOn() && !selection.contains(c)) {
        selection.add(c);
        if (choosing.dropOthers(selection, c) && selection.isLegal()) {
          choosing.offer(selection);
        }
      }
    }
  }

  private void decideAnew(int[] others) {
    for (int from = 0; from < others.length; from += OTHERS / 2) {
      int to = Math.min(others.length, from + OTHERS);
      decideAnewWith(Arrays.copyOfRange(others, from, to));
    }
    for (int c : others) {
      if (problem.nodesOf[c].length > 1) {
        decideAnewWith(around(c));
      }
    }
  }

  /** A gang and the cheapest candidates on its nodes. */
  private int[] around(int gang) {
    BitSet near = new BitSet(problem.size());
    for (int node : problem.nodesOf[gang]) {
      for (int c : problem.candidatesAt[node]) {
        near.set(c, c != gang);
      }
    }
    int[] cheapest = ranking.cheapest(near.stream().toArray(), OTHERS);
    int[] around = Arrays.copyOf(cheapest, cheapest.length + 1);
    around[cheapest.length] = gang;
    return around;
  }

  /** Window by window over the members, the dearest first. */
  private void decideAnewWith(int[] others) {
    for (int skip = 0; skip < best().length && choosing.mayGoOn(); skip += MEMBERS / 2) {
      int[] set = best().clone();
      ranking.sort(set);
      int end = set.length - Math.min(skip, set.length);
      int begin = Math.max(0, end - MEMBERS);
      selection.set(set);
      BitSet free = new BitSet(problem.size());
      for (int c : others) {
        free.set(c, !selection.contains(c));
      }
      for (int i = begin; i < end; i++) {
        free.set(set[i]);
        selection.remove(set[i]);
      }
      search.run(selection.toArray(), free.stream().toArray(), STEPS);
    }
  }
}
