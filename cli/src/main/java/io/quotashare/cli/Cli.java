package io.quotashare.cli;

import io.quotashare.cli.console.Outside;
import io.quotashare.cli.output.Style;
import io.quotashare.cli.yaml.Durations;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.TypeConversionException;

/** Runs one command line. */
public final class Cli {
  private static final int HELP_COLUMNS = 100;

  private Cli() {}

  /**
   * Runs it.
   *
   * @return one of {@link ExitCode}
   */
  public static int run(Outside outside, String... args) {
    PrintWriter out = writer(outside.out());
    PrintWriter err = writer(outside.err());
    RootCommand root = new RootCommand(outside);
    CommandLine line = line(root, Arrays.asList(args));
    Style style = root.session(out, err).style();
    line.setOut(out)
        .setErr(err)
        .setColorScheme(CommandLine.Help.defaultColorScheme(style.colours() ? Ansi.ON : Ansi.OFF))
        .setExecutionExceptionHandler(new Failures(outside)::onFailure);
    try {
      return line.execute(args);
    } finally {
      out.flush();
      err.flush();
    }
  }

  /**
   * The commands as they parse what is typed.
   *
   * @param args what was typed; empty for all commands
   */
  static CommandLine line(RootCommand root, List<String> args) {
    CommandLine line = new CommandLine(root);
    CommandTable.addTo(line, args);
    return line.setHelpFactory(HelpPage::of)
        .setUsageHelpWidth(HELP_COLUMNS)
        .setUsageHelpLongOptionsMaxWidth(30)
        .setUnmatchedOptionsArePositionalParams(false)
        .setCaseInsensitiveEnumValuesAllowed(false)
        .registerConverter(Duration.class, Cli::duration)
        .registerConverter(UUID.class, Cli::uuid)
        .setParameterExceptionHandler(Failures::onUsage);
  }

  private static Duration duration(String text) {
    try {
      return Durations.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  private static UUID uuid(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + text + "' is not a UUID");
    }
  }

  /** UTF-8 whatever the locale says: the output of a program is read by programs. */
  private static PrintWriter writer(OutputStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), false);
  }
}
