package io.quotashare.core.preemption;

import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@link Question.Cover} over arrays. It remembers answers: cover is monotone, so every amount at
 * least as large as one that was enough is enough, and the other way round.
 */
final class Cover {
  /** Remembered answers of either kind; the newest replaces the oldest. */
  private static final int REMEMBERED = 32;

  private final Question.Cover cover;
  private final ShareKey[] shares;
  private final List<int[]> enough = new ArrayList<>();
  private final List<int[]> tooLittle = new ArrayList<>();
  private final boolean always;

  Cover(Question.Cover cover, ShareKey[] shares) {
    this.cover = cover;
    this.shares = shares;
    this.always = ask(new int[shares.length]);
  }

  /** Whether it holds although nothing is taken. */
  boolean always() {
    return always;
  }

  /**
   * @param taken devices taken, by index of the share
   */
  boolean allows(int[] taken) {
    if (always) {
      return true;
    }
    for (int i = enough.size() - 1; i >= 0; i--) {
      if (atLeast(taken, enough.get(i))) {
        return used(enough, i, true);
      }
    }
    for (int i = tooLittle.size() - 1; i >= 0; i--) {
      if (atLeast(tooLittle.get(i), taken)) {
        return used(tooLittle, i, false);
      }
    }
    boolean allowed = ask(taken);
    remember(allowed ? enough : tooLittle, taken.clone());
    return allowed;
  }

  private boolean ask(int[] taken) {
    Map<ShareKey, Integer> takenByShare = new HashMap<>();
    for (int s = 0; s < taken.length; s++) {
      if (taken[s] > 0) {
        takenByShare.put(shares[s], taken[s]);
      }
    }
    return cover.allows(takenByShare);
  }

  /** The answer that was useful last is looked at first. */
  private static boolean used(List<int[]> known, int i, boolean answer) {
    int last = known.size() - 1;
    int[] newest = known.get(last);
    known.set(last, known.get(i));
    known.set(i, newest);
    return answer;
  }

  private static void remember(List<int[]> known, int[] taken) {
    if (known.size() == REMEMBERED) {
      known.remove(0);
    }
    known.add(taken);
  }

  private static boolean atLeast(int[] more, int[] less) {
    for (int s = 0; s < more.length; s++) {
      if (more[s] < less[s]) {
        return false;
      }
    }
    return true;
  }
}
