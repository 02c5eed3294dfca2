package io.quotashare.cli.yaml;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds what the writer of a misspelt word probably meant. */
public final class Suggestions {
  private Suggestions() {}

  /** {@code ", did you mean X?"}, or the whole choice where nothing is near. */
  public static String hint(String word, Collection<String> choice) {
    return nearest(word, choice)
        .map(near -> "; did you mean " + near + "?")
        .orElseGet(() -> "; expected one of " + list(choice));
  }

  /** The entry that is nearest to the word: at most a third of its letters differ. */
  public static Optional<String> nearest(String word, Collection<String> choice) {
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

  /** Levenshtein distance by two rows. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    int[] current = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(change, 1 + Math.min(previous[j], current[j - 1]));
      }
      int[] swap = previous;
      previous = current;
      current = swap;
    }
    return previous[b.length()];
  }
}
