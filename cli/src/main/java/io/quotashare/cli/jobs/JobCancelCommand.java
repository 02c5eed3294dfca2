package io.quotashare.cli.jobs;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.client.Job;
import io.quotashare.client.JobState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code quotashare job cancel}. */
@Command(
    name = "cancel",
    description = "Cancel jobs: at once if they wait, by asking them to stop if they run.",
    footer = {"  quotashare job cancel j-1 --reason \"wrong data\""})
final class JobCancelCommand extends SessionCommand {
  @Parameters(
      arity = "1..*",
      paramLabel = "JOB",
      description = "ID, QUEUE/ID or queues/QUEUE/jobs/ID.")
  private List<String> jobs = new ArrayList<>();

  @Option(
      names = "--queue",
      paramLabel = "QUEUE",
      description = "Their queue, where there are several.")
  private @Nullable String queue;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Recorded with the job, up to 512 characters.")
  private String reason = "";

  @Override
  protected int run(Session session) {
    for (String reference : jobs) {
      Job job = session.job(reference, queue).cancel(reason);
      session.note(job.id() + " " + told(job.state()));
    }
    return ExitCode.OK;
  }

  private static String told(JobState state) {
    if (state == JobState.CANCELLED) {
      return "is cancelled";
    }
    return state.isTerminal()
        ? "had ended already (" + state + ")"
        : "is asked to stop (" + state + ")";
  }
}
