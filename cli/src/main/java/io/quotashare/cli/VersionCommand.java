package io.quotashare.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code quotashare version}: of this program; asks no scheduler. */
@Command(
    name = "version",
    description = "Show the version of this program.",
    footer = "  quotashare version")
final class VersionCommand extends HasHelp implements Callable<Integer>, AsksNoScheduler {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    if (spec == null) {
      throw new IllegalStateException("the command was not set up by the command line");
    }
    spec.commandLine().getOut().println("quotashare " + version());
    return ExitCode.OK;
  }

  private static String version() {
    String version = VersionCommand.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
