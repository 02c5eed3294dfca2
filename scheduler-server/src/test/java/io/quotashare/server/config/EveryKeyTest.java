package io.quotashare.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every key of the server's file, with values that its type does not take. */
class EveryKeyTest {
  /** Of each key at least one of these is of the wrong type, out of range or too large. */
  private static final List<String> CANDIDATES =
      List.of(
          "''",
          "nonsense",
          "-1",
          "0",
          "1.5",
          "99999999999999999999",
          "-5s",
          "0s",
          "9999d",
          "1h1s",
          "host",
          "127.0.0.1:99999",
          "1-2",
          "70000-80000",
          "yes");

  @TempDir private Path folder;

  static Stream<ConfigKey<?>> keys() {
    return ConfigKeys.ALL.stream();
  }

  private List<String> problems(ConfigKey<?> key, String value) throws IOException {
    int dot = key.path().indexOf('.');
    String text =
        dot < 0
            ? key.path() + ": " + value + "\n"
            : key.path().substring(0, dot)
                + ":\n  "
                + key.path().substring(dot + 1)
                + ": "
                + value
                + "\n";
    Path file = Files.writeString(folder.resolve("server.yaml"), text);
    List<String> args = new ArrayList<>(List.of("--config", file.toString()));
    if (!key.equals(ConfigKeys.DEV)) {
      args.add("--dev");
    }
    ConfigException refused =
        catchThrowableOfType(ConfigException.class, () -> CommandLine.parse(args));
    return refused == null ? List.of() : refused.problems();
  }

  @ParameterizedTest
  @MethodSource("keys")
  void badValueIsRefusedWithFileLineKeyValueAndExpectation(ConfigKey<?> key) throws IOException {
    int line = key.path().contains(".") ? 2 : 1;
    List<String> bad =
        CANDIDATES.stream()
            .filter(text -> key.type().parse(text.equals("''") ? "" : text).isEmpty())
            .toList();
    assertThat(bad)
        .as("add a value to CANDIDATES that " + key.path() + " does not take")
        .isNotEmpty();
    for (String value : bad) {
      assertThat(problems(key, value))
          .as(key.path() + ": " + value)
          .anyMatch(
              problem ->
                  problem.startsWith(folder.resolve("server.yaml") + ":" + line + ": " + key.path())
                      && problem.contains(value.equals("''") ? "" : value)
                      && problem.contains("(expected: " + key.type().expected()));
    }
  }

  @ParameterizedTest
  @MethodSource("keys")
  void listAndMapAndUnknownNeighbourAreRefused(ConfigKey<?> key) throws IOException {
    for (String value : List.of("[1]", "{a: 1}")) {
      assertThat(problems(key, value))
          .as(key.path() + ": " + value)
          .anyMatch(
              p -> p.contains(key.path()) && (p.contains("expected") || p.contains("unknown")));
    }
    ConfigKey<?> misspelt = new ConfigKey<>(key.path() + "x", "", ValueType.bool(), true, "no key");
    assertThat(problems(misspelt, "1"))
        .anyMatch(p -> p.contains(key.path() + "x: unknown key; did you mean " + key.path() + "?"));
  }
}
