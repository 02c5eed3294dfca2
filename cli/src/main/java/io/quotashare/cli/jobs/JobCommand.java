package io.quotashare.cli.jobs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quotashare job}: one job. */
@Command(
    name = "job",
    description = "Look at one job, or steer it.",
    synopsisHeading = "Usage: ",
    descriptionHeading = "%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nExamples:%n",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "  quotashare job explain j-1",
      "  quotashare job priority j-1 50",
      "  quotashare job logs j-1 --follow"
    },
    subcommands = {
      JobGetCommand.class,
      JobWatchCommand.class,
      JobExplainCommand.class,
      JobPriorityCommand.class,
      JobCancelCommand.class,
      JobLogsCommand.class,
      JobAttemptsCommand.class
    })
public final class JobCommand {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  @SuppressWarnings("UnusedVariable") // picocli acts on the annotation.
  private boolean help;
}
