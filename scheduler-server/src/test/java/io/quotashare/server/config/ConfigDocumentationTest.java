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
    int begin = text.indexOf(BEGIN) + BEGIN.length();
    int end = text.indexOf(END);
    if (Boolean.getBoolean("quotashare.draw")) {
      Files.writeString(DOCUMENT, text.substring(0, begin) + expected() + text.substring(end));
      return;
    }

    assertThat(text.substring(begin, end))
        .as("docs/server.md, between config:begin and config:end; -Dquotashare.draw=true writes it")
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
