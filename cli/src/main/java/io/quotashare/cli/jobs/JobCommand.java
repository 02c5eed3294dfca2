package io.quotashare.cli.jobs;

import io.quotashare.cli.CommandGroup;
import picocli.CommandLine.Command;

/** {@code quotashare job}: one job. */
@Command(
    name = "job",
    description = "Look at one job, or steer it.",
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
      JobHoldCommand.class,
      JobReleaseCommand.class,
      JobRequeueCommand.class,
      JobCheckpointCommand.class,
      JobCancelCommand.class,
      JobLogsCommand.class,
      JobAttemptsCommand.class
    })
public final class JobCommand extends CommandGroup {}
