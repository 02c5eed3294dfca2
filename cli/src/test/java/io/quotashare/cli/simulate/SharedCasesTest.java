package io.quotashare.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;

/**
 * Every worked case that lies beside the repository, one test each. The folder is {@code
 * ../shared/cases} as seen from the root of the repository; the system property {@code
 * quotashare.cases} names another one.
 */
class SharedCasesTest {
  private static final Path DEFAULT_FOLDER = Path.of("..", "..", "shared", "cases");

  @TestFactory
  Stream<DynamicTest> everyCase() throws IOException {
    String named = System.getProperty("quotashare.cases");
    Path folder = named == null ? DEFAULT_FOLDER : Path.of(named);
    if (!Files.isDirectory(folder)) {
      return Stream.of(DynamicTest.dynamicTest("no folder of cases", () -> skip(folder)));
    }
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
    assertThat(files).as("cases in %s", folder.toAbsolutePath()).isNotEmpty();
    return files.stream()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    ScenarioParser.fileName(file),
                    file.toUri(),
                    () -> CheckedReplay.run(ScenarioParser.parse(file))));
  }

  private static void skip(Path folder) {
    String reason =
        "SKIPPED: the worked cases were not replayed, because there is no folder "
            + folder.toAbsolutePath().normalize()
            + "; name one with -Dquotashare.cases=FOLDER";
    System.err.println(reason);
    throw new TestAbortedException(reason);
  }
}
