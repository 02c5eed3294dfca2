package io.quotashare.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** All commands as the command line knows them. */
final class Commands {
  private Commands() {}

  /** The root with everything below it. */
  static CommandLine root() {
    try (CliRunner runner = new CliRunner()) {
      return Cli.line(new RootCommand(runner.outside()), List.of());
    }
  }

  /** Every command in the order of help: groups before what is below them. */
  static List<CommandLine> all() {
    List<CommandLine> all = new ArrayList<>();
    collect(root(), all);
    return all;
  }

  /** The commands that do something: those with nothing below them. */
  static List<CommandLine> leaves() {
    return all().stream().filter(line -> line.getSubcommands().isEmpty()).toList();
  }

  /** Name without the program, such as {@code job get}. */
  static String name(CommandLine line) {
    return line.getCommandSpec().qualifiedName(" ").replaceFirst("^quotashare ?", "");
  }

  private static void collect(CommandLine line, List<CommandLine> to) {
    to.add(line);
    line.getSubcommands().values().forEach(sub -> collect(sub, to));
  }
}
