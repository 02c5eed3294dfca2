package io.quotashare.integration.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every test that a document names exists, and every named scenario is in a document. */
class NamedTestsTest {
  private static final String SCENARIOS = "cli/src/test/resources/scenarios";
  private static final Pattern NAMED =
      Pattern.compile("`((?:[a-z0-9-]+/)*[a-z0-9-]+\\.yaml|[A-Z]\\w+(?:Test|IT))`");
  private static final List<String> PAGES = List.of("docs/known-failures.md", "docs/aws-batch.md");

  @Test
  void everythingNamedExists() {
    Set<String> there = new HashSet<>(scenarios());
    for (String module : SourceTree.MODULES) {
      SourceTree.files(module + "/src/test/java", ".java").stream()
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .forEach(there::add);
    }
    for (String page : PAGES) {
      assertThat(named(page)).as(page).isNotEmpty().isSubsetOf(there);
    }
  }

  @Test
  void everyScenarioOfTheseFoldersIsNamed() {
    Set<String> named =
        PAGES.stream().flatMap(page -> named(page).stream()).collect(Collectors.toSet());

    assertThat(scenarios())
        .filteredOn(name -> name.contains("/"))
        .hasSizeGreaterThan(40)
        .allMatch(named::contains, "is in docs/known-failures.md or docs/aws-batch.md");
  }

  @Test
  void everyStatementOfAwsBatchHasItsRow() {
    Set<Integer> rows = new TreeSet<>();
    SourceTree.read("docs/aws-batch.md")
        .lines()
        .filter(line -> line.matches("\\| [0-9].*"))
        .map(line -> line.substring(1, line.indexOf('|', 1)))
        .flatMap(cell -> Arrays.stream(cell.split(",")))
        .forEach(number -> rows.add(Integer.parseInt(number.strip())));

    assertThat(rows).containsExactlyElementsOf(IntStream.rangeClosed(1, 38).boxed().toList());
  }

  private static Set<String> named(String page) {
    Set<String> names = new TreeSet<>();
    Matcher name = NAMED.matcher(SourceTree.read(page));
    while (name.find()) {
      names.add(name.group(1));
    }
    return names;
  }

  private static Set<String> scenarios() {
    Path folder = Path.of("..", SCENARIOS);
    return SourceTree.files(SCENARIOS, ".yaml").stream()
        .map(file -> folder.relativize(file).toString())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
