package io.quotashare.cli.yaml;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds what the writer of a misspelt word probably meant. */
public final class Suggestions {
  /** A longer word is no misspelling, and comparing it costs. */
  private static final int MAX_LENGTH = 60;

  private Suggestions() {}

  /** {@code ", did you mean X?"}, or the whole choice where nothing is near. */
  public static String hint(String word, Collection<String> choice) {
    return nearest(word, choice)
        .map(near -> "; did you mean " + near + "?")
        .orElseGet(() -> "; expected one of " + list(choice));
  }

  /** The entry that is nearest to the word: at most a third of its letters differ. */
  public static Optional<String> nearest(String word, Collection<String> choice) {
    if (word.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    String plain = plain(word);
    return choice.stream()
        .filter(c -> distance(plain, plain(c)) <= Math.max(1, plain(c).length() / 3))
        .min(
            Comparator.<String>comparingInt(c -> distance(plain, plain(c)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** The choice as text, sorted as given. */
  public static String list(Collection<String> choice) {
    return choice.stream().collect(Collectors.joining(", "));
  }

  /** Spelling habits do not count: lend-limit, lend_limit and lendLimit are near. */
  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
  }

  /** Edits from one to the other: a letter more, less or another, or two neighbours swapped. */
  private static int distance(String a, String b) {
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        edits[i][j] = i == 0 ? j : j == 0 ? i : cheapest(edits, a, b, i, j);
      }
    }
    return edits[a.length()][b.length()];
  }

  private static int cheapest(int[][] edits, String a, String b, int i, int j) {
    int change = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
    int least = Math.min(change, 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(least, edits[i - 2][j - 2] + 1) : least;
  }
}
