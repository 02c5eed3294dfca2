package io.quotashare.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The table in docs/server.md is the program's own list of keys. */
class ConfigDocumentationTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "server.md");
  private static final String BEGIN = "<!-- config:begin -->\n";
  private static final String END = "<!-- config:end -->\n";

  @Test
  void tableIsTheListOfKeys() throws IOException {
    String text = Files.readString(DOCUMENT);
    String table = text.substring(text.indexOf(BEGIN) + BEGIN.length(), text.indexOf(END));

    assertThat(table)
        .as("docs/server.md, between config:begin and config:end")
        .isEqualTo(expected());
  }

  private static String expected() {
    StringBuilder table = new StringBuilder("| key | flag | value | default | meaning |\n");
    table.append("|---|---|---|---|---|\n");
    for (ConfigKey<?> key : ConfigKeys.ALL) {
      table.append(
          String.format(
              "| `%s` | %s | %s | `%s` | %s |\n",
              key.path(),
              key.flag().isEmpty() ? "" : "`" + key.flag() + "`",
              key.type().expected(),
              key.defaultText(),
              key.about()));
    }
    return table.toString();
  }
}
