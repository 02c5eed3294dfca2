package io.quotashare.cli;

import io.quotashare.cli.yaml.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quotashare help}: the same pages as {@code --help}. */
@Command(
    name = "help",
    description = "Show the page of a command; without one, the list of commands.",
    footer = {"  quotashare help", "  quotashare help submit", "  quotashare help job explain"})
final class HelpCommand extends HasHelp implements Callable<Integer>, AsksNoScheduler {
  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "Words of a command, such as job explain.")
  private List<String> words = new ArrayList<>();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    if (spec == null) {
      throw new IllegalStateException("the command was not set up by the command line");
    }
    CommandLine found = spec.root().commandLine();
    for (String word : words) {
      CommandLine next = found.getSubcommands().get(word);
      if (next == null) {
        throw new UsageException(
            found.getCommandSpec().qualifiedName()
                + " has no command \""
                + word
                + "\""
                + Suggestions.hint(word, found.getSubcommands().keySet()));
      }
      found = next;
    }
    found.usage(spec.commandLine().getOut());
    return ExitCode.OK;
  }
}
