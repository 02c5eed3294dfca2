package io.quotashare.cli.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrictYamlTest {
  private enum Colour {
    RED,
    DARK_BLUE
  }

  private final YamlProblems problems = new YamlProblems("f.yaml");

  private YamlMap map(String text, String... keys) {
    return StrictYaml.read(text, problems).asMap(Set.of(keys)).orElseThrow();
  }

  private List<String> messages() {
    return problems.sorted().stream().map(YamlProblem::toString).toList();
  }

  @Test
  void readsEveryType() {
    YamlMap map =
        map(
            """
            s: text
            i: -7
            hex: 0x1F
            oct: 0o17
            b: true
            d: -60s
            c: DARK_BLUE
            l: [a, 'b']
            m: {H100: 8, A100: 0}
            labels: {pool: research}
            n: ~
            long: 9999999999
            """,
            "s",
            "i",
            "hex",
            "oct",
            "b",
            "d",
            "c",
            "l",
            "m",
            "labels",
            "n",
            "long",
            "absent");

    assertThat(map.string("s")).contains("text");
    assertThat(map.integer("i", -10, 10)).contains(-7);
    assertThat(map.integer("hex", 0, 100)).contains(31);
    assertThat(map.integer("oct", 0, 100)).contains(15);
    assertThat(map.get("long").flatMap(v -> v.asLong(0, Long.MAX_VALUE))).contains(9_999_999_999L);
    assertThat(map.bool("b")).contains(true);
    assertThat(map.duration("d")).contains(Duration.ofMinutes(-1));
    assertThat(map.choice("c", Colour.class)).contains(Colour.DARK_BLUE);
    assertThat(map.get("l").flatMap(YamlValue::asStrings)).contains(List.of("a", "b"));
    assertThat(map.get("m").flatMap(v -> v.asIntMap(0, 10)).orElseThrow())
        .containsEntry("H100", 8)
        .containsEntry("A100", 0);
    assertThat(map.get("labels").flatMap(YamlValue::asStringMap).orElseThrow())
        .containsEntry("pool", "research");
    assertThat(map.get("n")).get().matches(YamlValue::isNull);
    assertThat(map.get("absent")).isEmpty();
    assertThat(problems.isEmpty()).isTrue();
  }

  @Test
  void jsonIsYaml() {
    YamlMap map = map("{\n\t\"a\": [1, 2],\n\t\"b\": \"x\\u00e4\"\n}", "a", "b");

    assertThat(map.list("a").orElseThrow()).hasSize(2);
    assertThat(map.string("b")).contains("xä");
    assertThat(problems.isEmpty()).isTrue();
  }

  @Test
  void anUnknownKeyNamesItsPlaceAndTheNearestKey() {
    map("name: x\nstratgy: LEND\n", "name", "strategy");

    assertThat(messages())
        .containsExactly("f.yaml:2:1: stratgy: unknown key; did you mean strategy?");
  }

  @Test
  void anUnknownKeyLikeNothingListsTheKeys() {
    map("zzz: 1\n", "name", "state");

    assertThat(messages())
        .containsExactly("f.yaml:1:1: zzz: unknown key; expected one of name, state");
  }

  @Test
  void allProblemsAreTold() {
    YamlMap map = map("b: 1\na: x\nwrong: 1\n", "a", "b");
    map.integer("a", 0, 10);
    map.bool("b");

    assertThat(messages())
        .containsExactly(
            "f.yaml:1:4: b: 1 is not valid here, expected true or false",
            "f.yaml:2:4: a: \"x\" is not valid here, expected a whole number from 0 to 10",
            "f.yaml:3:1: wrong: unknown key; expected one of a, b");
    assertThatThrownBy(problems::throwIfAny)
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("f.yaml:1:4")
        .hasMessageContaining("f.yaml:3:1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "k: 12   | string   | 12 is not valid here, expected text: write it in quotes",
        "k:      | string   | nothing is not valid here, expected text",
        "k: ''   | string   | \"\" is not valid here, expected text that is not empty",
        "k: [1]  | string   | a list is not valid here, expected text",
        "k: '5'  | integer  | \"5\" is not valid here, expected a whole number from 0 to 9",
        "k: 10   | integer  | 10 is not valid here, expected a whole number from 0 to 9",
        "k: 1.5  | integer  | 1.5 is not valid here, expected a whole number from 0 to 9",
        "k: 99999999999999999999 | integer | 99999999999999999999 is not valid here, expected a whole number from 0 to 9",
        "k: yes  | bool     | \"yes\" is not valid here, expected true or false",
        "k: 10   | duration | 10 is not valid here, expected a duration such as 90s, 10m, 1h30m or 250ms",
        "k: 10x  | duration | \"10x\" is not a duration such as 90s, 10m, 1h30m or 250ms",
        "k: DARKBLUE | choice | \"DARKBLUE\" is not valid here, expected one of RED, DARK_BLUE (did you mean DARK_BLUE?)",
        "k: red  | choice   | \"red\" is not valid here, expected one of RED, DARK_BLUE (did you mean RED?)",
        "k: {a: 1} | list   | a map is not valid here, expected a list",
      })
  void aWrongTypeNamesTheValueAndWhatWasExpected(String text, String accessor, String message) {
    YamlMap map = map(text, "k");
    switch (accessor) {
      case "string" -> map.string("k");
      case "integer" -> map.integer("k", 0, 9);
      case "bool" -> map.bool("k");
      case "duration" -> map.duration("k");
      case "choice" -> map.choice("k", Colour.class);
      case "list" -> map.list("k");
      default -> throw new IllegalArgumentException(accessor);
    }

    assertThat(problems.sorted()).hasSize(1);
    assertThat(problems.sorted().get(0).path()).isEqualTo("k");
    assertThat(problems.sorted().get(0).message()).isEqualTo(message);
  }

  @Test
  void aMissingKeyIsToldAtItsMap() {
    map("a: 1\n", "a", "b").requireString("b");

    assertThat(messages()).containsExactly("f.yaml:1:1: the key b is missing, expected text");
  }

  @Test
  void aKeyThatStandsTwiceIsAProblem() {
    map("a: 1\nb: 2\na: 3\n", "a", "b");

    assertThat(messages())
        .containsExactly("f.yaml:3:1: a: the key stands twice in this map, first in line 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a: [1, 2      | not valid YAML",
        "a: b: c       | not valid YAML",
        "a: *unknown   | not valid YAML",
        "''            | the file is empty",
      })
  void whatIsNotYamlIsRefusedWithItsPlace(String text, String message) {
    assertThatThrownBy(() -> StrictYaml.read(text, problems))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageStartingWith("f.yaml:")
        .hasMessageContaining(message);
  }

  @Test
  void aSecondDocumentIsRefused() {
    assertThatThrownBy(() -> StrictYaml.read("a: 1\n---\nb: 2\n", problems))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("f.yaml:3:1: a second document begins here");
  }

  @Test
  void aControlCharacterIsRefused() {
    assertThatThrownBy(() -> StrictYaml.read("a: \u0007\n", problems))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("U+0007");
  }

  @Test
  void filesThatCannotBeReadAreRefused(@TempDir Path folder) throws IOException {
    Path latin = folder.resolve("latin.yaml");
    Files.write(latin, new byte[] {'a', ':', ' ', (byte) 0xE4, '\n'});

    assertThatThrownBy(() -> StrictYaml.readFile(folder.resolve("none"), new YamlProblems("none")))
        .isInstanceOf(InvalidFileException.class)
        .hasMessage("none: there is no such file");
    assertThatThrownBy(() -> StrictYaml.readFile(folder, new YamlProblems("dir")))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("it is a directory");
    assertThatThrownBy(() -> StrictYaml.readFile(latin, new YamlProblems("latin.yaml")))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("not UTF-8");
  }

  @Test
  void problemsAreBounded() {
    for (int i = 1; i <= YamlProblems.MAX_KEPT + 5; i++) {
      problems.add(i, 1, "", "wrong");
    }

    assertThat(problems.sorted()).hasSize(YamlProblems.MAX_KEPT);
    assertThatThrownBy(problems::throwIfAny).hasMessageEndingWith("... and 5 more");
  }

  @Test
  void anAliasThatContainsItselfDoesNotHang() {
    YamlValue root = StrictYaml.read("&a [*a]\n", problems);

    assertThat(root.asMap(Set.of("k"))).isEmpty();
    assertThat(messages()).singleElement().asString().contains("expected a map");
  }
}
