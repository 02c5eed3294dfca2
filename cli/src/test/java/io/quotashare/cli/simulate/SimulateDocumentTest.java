package io.quotashare.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.cli.CliRunner;
import io.quotashare.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/simulate.md: its example prints what it says, and its tables name every key. */
class SimulateDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "simulate.md");

  @TempDir private Path folder;

  @Test
  void theExamplePrintsWhatTheDocumentSays() throws IOException {
    String document = Files.readString(DOCUMENT);
    Path file = Files.writeString(folder.resolve("example.yaml"), block(document, "yaml\n"));

    try (CliRunner cli = new CliRunner()) {
      CliRunner.Result result = cli.run("simulate", "--scenario", file.toString());

      assertThat(result.code()).isEqualTo(ExitCode.OK);
      assertThat(result.out())
          .isEqualTo(block(document, "\n$ quotashare simulate --scenario example.yaml\n"));
    }
  }

  @Test
  void everyKeyOfASubmissionIsDocumented() throws IOException {
    String document = Files.readString(DOCUMENT);
    Set<String> missing = new TreeSet<>();
    for (String key : JobParser.KEYS) {
      if (!document.contains("`" + key + "`")) {
        missing.add(key);
      }
    }
    assertThat(missing).isEmpty();
  }

  /** The first code block that begins like this. */
  private static String block(String document, String beginning) {
    Pattern pattern =
        Pattern.compile("```" + Pattern.quote(beginning) + "(.*?)```", Pattern.DOTALL);
    Matcher matcher = pattern.matcher(document);
    assertThat(matcher.find()).as("a block that begins with %s", beginning).isTrue();
    return matcher.group(1);
  }
}
