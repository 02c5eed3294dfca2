package io.quotashare.cli.jobs;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.client.JobHandle;
import io.quotashare.client.LogOptions;
import io.quotashare.client.LogStream;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quotashare job logs}. */
@Command(
    name = "logs",
    description = "Print the output of an attempt, standard output and standard error together.",
    footer = {
      "  quotashare job logs j-1",
      "  quotashare job logs j-1 --attempt 1",
      "  quotashare job logs j-1 --follow"
    })
final class JobLogsCommand extends SessionCommand {
  @Mixin private JobArgument argument = new JobArgument();

  @Option(
      names = "--attempt",
      paramLabel = "N",
      description = "Of this attempt, counted from 1. Default: the newest.")
  private int attempt;

  @Option(
      names = "--rank",
      paramLabel = "N",
      description = "Of this node of the gang, counted from 0. Default: 0.")
  private int rank;

  @Option(
      names = {"-f", "--follow"},
      description = "Go on while the attempt runs.")
  private boolean follow;

  @Override
  protected int run(Session session) throws IOException {
    JobHandle handle = argument.handle(session);
    session.out().flush();
    try (LogStream stream = handle.logs(new LogOptions(attempt, rank, follow, 0))) {
      stream.copyTo(session.outside().out());
    }
    return ExitCode.OK;
  }
}
