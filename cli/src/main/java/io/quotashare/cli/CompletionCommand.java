package io.quotashare.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code quotashare completion}: a script for bash and zsh. */
@Command(
    name = "completion",
    description = "Print a completion script for bash and zsh.",
    footerHeading = "%nExamples:%n",
    footer = "  source <(quotashare completion)")
final class CompletionCommand extends HasHelp implements Callable<Integer>, AsksNoScheduler {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    if (spec == null) {
      throw new IllegalStateException("the command was not set up by the command line");
    }
    String script = AutoComplete.bash("quotashare", spec.root().commandLine());
    spec.commandLine().getOut().print(script);
    return ExitCode.OK;
  }
}
