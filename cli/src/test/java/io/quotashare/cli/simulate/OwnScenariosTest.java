package io.quotashare.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.replay.Scenario;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every scenario of our own, one test each; its name says which rule it proves. */
class OwnScenariosTest {
  @TestFactory
  Stream<DynamicTest> everyScenario() throws IOException, URISyntaxException {
    Path folder = Path.of(OwnScenariosTest.class.getResource("/scenarios").toURI());
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    assertThat(files).hasSizeGreaterThan(15);
    return files.stream()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    folder.relativize(file).toString(), file.toUri(), () -> replay(file)));
  }

  private static void replay(Path file) {
    Scenario scenario = ScenarioParser.parse(file);
    assertThat(scenario.name()).containsPattern("quota-semantics [1-9]|scenario-format");
    assertThat(scenario.expectations()).isNotEmpty();
    CheckedReplay.run(scenario);
  }
}
