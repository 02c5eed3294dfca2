package io.quotashare.cli.jobs;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.RequestIdOption;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.client.ChangeOptions;
import io.quotashare.client.Job;
import io.quotashare.client.JobHandle;
import io.quotashare.client.JobSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code quotashare job priority}. */
@Command(
    name = "priority",
    description = {
      "Change the priority of a job that has not ended; decided upon at once.",
      "Raising a waiting job may stop jobs of lower priority in its share; lowering a running one"
          + " makes it a likelier victim."
    },
    footer = {"  quotashare job priority j-1 50"})
final class JobPriorityCommand extends SessionCommand {
  @Mixin private JobArgument argument = new JobArgument();

  @Parameters(
      index = "1",
      paramLabel = "PRIORITY",
      description = JobSpec.MIN_PRIORITY + " to " + JobSpec.MAX_PRIORITY + "; higher goes first.")
  private int priority;

  @Mixin private RequestIdOption requestId = new RequestIdOption();

  @Override
  protected int run(Session session) {
    JobHandle handle = argument.handle(session);
    Job job = handle.updatePriority(priority, new ChangeOptions("", requestId.get()));
    session.note(job.id() + " has priority " + job.priority() + " now, and is " + job.state());
    return ExitCode.OK;
  }
}
