package io.quotashare.cli.jobs;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.output.Format;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code quotashare job attempts}. */
@Command(
    name = "attempts",
    description = "List the attempts of a job, oldest first: where each ran and how it ended.",
    footer = {"  quotashare job attempts j-1", "  quotashare job attempts j-1 -o wide"})
final class JobAttemptsCommand extends ListCommand {
  @Mixin private JobArgument argument = new JobArgument();

  @Override
  protected void show(Session session, Format format) {
    session.printer().list(format, JobTexts.attempts(), argument.handle(session).attempts());
  }
}
