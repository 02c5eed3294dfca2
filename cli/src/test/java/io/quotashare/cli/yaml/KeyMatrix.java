package io.quotashare.cli.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Puts bad values into every key that a parser knows, and sees each refused by name. */
public final class KeyMatrix {
  private KeyMatrix() {}

  /** The keys that a parser takes in one of its maps. */
  @SuppressWarnings("unchecked") // Every such field is a set of texts.
  public static Set<String> keys(Class<?> parser, String field) {
    try {
      Field keys = parser.getDeclaredField(field);
      keys.setAccessible(true);
      return (Set<String>) keys.get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  /**
   * Tries all bad values.
   *
   * @param bad bad values by key, as YAML in one line: of the wrong type, out of range, too large
   * @param file a good file in which the key has this value
   * @param problems what is wrong with a file, one text a problem
   */
  public static void check(
      Set<String> keys,
      Map<String, List<String>> bad,
      BiFunction<String, String, String> file,
      Function<String, List<String>> problems) {
    Set<String> without = new TreeSet<>(keys);
    without.removeAll(bad.keySet());
    assertThat(without)
        .as("keys without bad values: add each to the table of this test, with its bad values")
        .isEmpty();
    assertThat(keys).as("keys of the table that no parser has").containsAll(bad.keySet());
    List<String> wrong = new ArrayList<>();
    bad.forEach(
        (key, values) -> {
          assertThat(values).as("bad values of " + key).isNotEmpty();
          for (String value : values) {
            List<String> found = problems.apply(file.apply(key, value));
            boolean named = found.stream().anyMatch(p -> p.contains(key) && saysWhatIsGood(p));
            if (!named) {
              wrong.add(key + ": " + value + " gives " + found);
            }
          }
        });
    assertThat(wrong).isEmpty();
    assertThat(problems.apply(file.apply(keys.iterator().next() + "x", "1")))
        .as("an unknown key")
        .anyMatch(p -> p.contains("unknown") || p.contains("not a key") || p.contains("not known"));
  }

  private static boolean saysWhatIsGood(String problem) {
    return problem.contains("expected")
        || problem.contains("such as")
        || problem.contains("not valid");
  }
}
