package io.quotashare.cli.jobs;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.output.Format;
import io.quotashare.client.Job;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code quotashare job get}. */
@Command(
    name = "get",
    description = "Show a job.",
    footer = {"  quotashare job get j-1", "  quotashare job get j-1 -o json"})
final class JobGetCommand extends ListCommand {
  @Mixin private JobArgument argument = new JobArgument();

  @Override
  protected void show(Session session, Format format) {
    Job job = argument.handle(session).get();
    session
        .printer()
        .one(
            format,
            JobTexts.jobs(session.now()),
            job,
            out -> new JobSheet(session.style(), session.now()).write(out, job));
  }
}
