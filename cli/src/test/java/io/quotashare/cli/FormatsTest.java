package io.quotashare.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotashare.cli.GoodCommands.Row;
import io.quotashare.cli.output.Format;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The five formats and --watch, of every command that shows something. */
class FormatsTest {
  private static final long LONG_SECONDS = 30;

  private final CliRunner cli = new CliRunner();
  private final ObjectMapper json = new ObjectMapper();

  @TempDir private Path folder;

  static Stream<Row> lists() {
    List<String> names =
        Commands.leaves().stream()
            .filter(line -> line.getCommandSpec().userObject() instanceof ListCommand)
            .map(Commands::name)
            .toList();
    return GoodCommands.rows().filter(row -> names.contains(row.name()));
  }

  @BeforeEach
  void prepare() throws IOException {
    GoodCommands.prepare(cli, folder);
  }

  @AfterEach
  void close() {
    cli.close();
  }

  private String out(Row row, String more) {
    CliRunner.Result result = GoodCommands.run(cli, folder, row.line() + " " + more);
    assertThat(result.code()).as(result.err()).isZero();
    return result.out();
  }

  @Test
  void manyCommandsShowSomething() {
    assertThat(lists()).hasSizeGreaterThan(12);
  }

  @ParameterizedTest
  @MethodSource("lists")
  void everyFormatIsPrintedWithoutColours(Row row) throws IOException {
    for (Format format : Format.values()) {
      assertThat(out(row, "-o " + format)).doesNotContain("\u001b[");
    }
    JsonNode document = json.readTree(out(row, "-o json"));
    assertThat(document.isArray() || document.isObject()).isTrue();
    assertThat(new Load(LoadSettings.builder().build()).loadAllFromString(out(row, "-o yaml")))
        .allMatch(value -> value instanceof Map);
    long resources = document.isArray() ? document.size() : 1;
    assertThat(out(row, "-o name").lines()).as("a name a resource").hasSize((int) resources);
  }

  @ParameterizedTest
  @MethodSource("lists")
  void aWatchPrintsOneObjectALineAndEndsWithCtrlC(Row row) throws Exception {
    cli.pauses = millis -> cli.pressCtrlC();
    CompletableFuture<String> watching =
        CompletableFuture.supplyAsync(() -> out(row, "--watch -o json"));
    if (row.name().equals("shares")) {
      // Waits for what the scheduler sends, and looks at Ctrl-C in between.
      CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS).execute(cli::pressCtrlC);
    }

    String printed = watching.get(LONG_SECONDS, TimeUnit.SECONDS);

    for (String line : printed.lines().toList()) {
      assertThat(json.readTree(line).isObject()).as(line).isTrue();
    }
  }
}
