package io.quotashare.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.cli.context.ConfigFile;
import io.quotashare.cli.policy.PolicyParser;
import io.quotashare.cli.policy.ShareParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The documentation names what there is, and the examples are valid. */
class DocsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static String doc(String name) throws IOException {
    return Files.readString(ROOT.resolve("docs").resolve(name));
  }

  /** Writes the reference instead of comparing it: {@code -Dquotashare.draw=true}. */
  private static final boolean DRAW = Boolean.getBoolean("quotashare.draw");

  @Test
  void theReferenceIsWhatTheCommandsSay() throws IOException {
    Path page = ROOT.resolve("docs").resolve("cli.md");
    String text = Files.readString(page);
    assertThat(text).contains(CliReference.MARK + "\n");
    String byHand = text.substring(0, text.indexOf(CliReference.MARK) + CliReference.MARK.length());
    String wanted = byHand + "\n" + CliReference.write();
    if (DRAW) {
      Files.writeString(page, wanted);
    }
    assertThat(page)
        .as("docs/cli.md; run this test with -Dquotashare.draw=true to write it")
        .hasContent(wanted);
  }

  @Test
  void everyKeyOfAContextIsInTheIntroduction() throws IOException {
    String text = doc("cli.md");

    assertThat(ConfigFile.KEYS).allMatch(key -> text.contains("| `" + key + "` |"));
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
