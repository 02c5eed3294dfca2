package io.quotashare.server.config;

import java.util.Collection;
import java.util.Comparator;

/** Finds what somebody who mistyped probably meant. */
final class Suggestion {
  private static final int MAX_EDITS = 3;

  private Suggestion() {}

  /** {@code ; did you mean "x"?} or nothing. */
  static String of(String text, Collection<String> known) {
    return known.stream()
        .filter(candidate -> edits(text, candidate) <= Math.min(MAX_EDITS, text.length() / 2))
        .min(Comparator.comparingInt((String c) -> edits(text, c)).thenComparing(c -> c))
        .map(candidate -> "; did you mean " + candidate + "?")
        .orElse("");
  }

  /** Letters to insert, delete or replace (Levenshtein). */
  private static int edits(String a, String b) {
    int[] before = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      before[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] now = new int[b.length() + 1];
      now[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        now[j] = Math.min(Math.min(now[j - 1], before[j]) + 1, before[j - 1] + same);
      }
      before = now;
    }
    return before[b.length()];
  }
}
