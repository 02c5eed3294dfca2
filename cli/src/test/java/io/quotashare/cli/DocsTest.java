package io.quotashare.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.cli.policy.PolicyParser;
import io.quotashare.cli.policy.ShareParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The documentation names what there is, and the examples are valid. */
class DocsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static String doc(String name) throws IOException {
    return Files.readString(ROOT.resolve("docs").resolve(name));
  }

  private static void collect(String prefix, CommandLine line, List<String> to) {
    for (Map.Entry<String, CommandLine> sub : line.getSubcommands().entrySet()) {
      String name = prefix + sub.getKey();
      if (sub.getValue().getSubcommands().isEmpty()) {
        to.add(name);
      }
      collect(name + " ", sub.getValue(), to);
    }
  }

  @Test
  void everyCommandIsInTheMap() throws IOException {
    List<String> commands = new ArrayList<>();
    collect("", new CommandLine(new RootCommand(new CliRunner().outside())), commands);
    String map = doc("cli.md");

    assertThat(commands).hasSizeGreaterThan(20);
    assertThat(commands)
        .allMatch(command -> map.contains("`" + command + "`"), "is in docs/cli.md");
  }

  @Test
  void everyKeyOfAPolicyIsInItsTable() throws IOException {
    String text = doc("policy.md");

    assertThat(PolicyParser.QUEUE_KEYS).allMatch(key -> text.contains("| `" + key + "` |"));
    assertThat(ShareParser.KEYS).allMatch(key -> text.contains("| `" + key + "` |"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"policy-lend.yaml", "policy-lend-and-borrow.yaml"})
  void theExamplePoliciesAreValid(String name) {
    assertThat(PolicyParser.parse(ROOT.resolve("examples/three-teams").resolve(name)).queues())
        .singleElement()
        .satisfies(queue -> assertThat(queue.shares()).hasSize(3));
  }
}
