package io.quotashare.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Every command has a page of a manual, and what stands there is true. */
class HelpTest {
  private static final Set<Class<?>> QUANTITIES =
      Set.of(int.class, Integer.class, long.class, Long.class, Duration.class);

  private final CliRunner cli = new CliRunner();

  @AfterEach
  void close() {
    cli.close();
  }

  static Stream<String> commands() {
    return Commands.all().stream().map(Commands::name);
  }

  private static CommandLine find(String name) {
    return Commands.all().stream()
        .filter(line -> Commands.name(line).equals(name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasAPage(String name) {
    CliRunner.Result help = cli.run(("help " + name).strip().split(" "));

    assertThat(help.code()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(help.out())
        .startsWith("Usage: " + ("quotashare " + name).strip())
        .contains("\nExamples:\n")
        .contains("\nExit status:\n")
        .contains("\nEnvironment:\n");
    assertThat(help.out().lines()).allMatch(line -> line.length() <= 100);
    assertThat(cli.opened).as("connections for a page").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpIsTheSameAsTheOption(String name) {
    if (name.equals("server") || name.equals("agent")) {
      return; // programs of their own, with help of their own
    }
    assertThat(cli.run((name + " --help").strip().split(" ")).out())
        .isEqualTo(cli.run(("help " + name).strip().split(" ")).out());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyExampleIsAValidCommandLine(String name) {
    CommandSpec spec = find(name).getCommandSpec();
    List<List<String>> examples = ShellWords.commands(Arrays.asList(spec.usageMessage().footer()));

    assertThat(examples).isNotEmpty();
    for (List<String> example : examples) {
      CommandLine.ParseResult parsed = Commands.root().parseArgs(example.toArray(new String[0]));
      assertThat(parsed.errors()).as("errors of %s", example).isEmpty();
    }
    assertThat(examples)
        .as("an example of %s itself", name)
        .anyMatch(words -> String.join(" ", words).contains(name));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyOptionSaysWhatItIsForAndWhatHoldsWithoutIt(String name) {
    CommandSpec spec = find(name).getCommandSpec();
    for (ArgSpec arg : spec.args()) {
      String text = String.join(" ", arg.description());
      assertThat(text).as("description of %s", arg).isNotBlank().endsWith(".");
      if (arg.isOption() && !arg.required() && QUANTITIES.contains(arg.type())) {
        assertThat(text).as("default of %s of %s", arg, name).containsIgnoringCase("default");
      }
    }
  }

  @Test
  void helpOfSomethingUnknownSuggests() {
    CliRunner.Result result = cli.run("help", "job", "explian");

    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err())
        .isEqualTo(
            "quotashare: quotashare job has no command \"explian\"; did you mean explain?\n");
  }

  @Test
  void commonOptionsStandApart() {
    String page = cli.run("help", "job", "get").out();

    assertThat(page.indexOf("-o, --output"))
        .isBetween(page.indexOf("\nOptions:\n"), page.indexOf("\nOptions of every command:\n"));
    assertThat(page.indexOf("--scheduler="))
        .isGreaterThan(page.indexOf("\nOptions of every command:\n"));
  }
}
