package io.quotashare.cli.jobs;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.RequestIdOption;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.client.Job;
import io.quotashare.client.JobHandle;
import io.quotashare.client.QuotaShareException;
import io.quotashare.client.SchedulerUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Does the same to several jobs, each with its own outcome: a refusal keeps the others not out. */
@Command
abstract class SteerCommand extends SessionCommand {
  @Parameters(
      arity = "1..*",
      paramLabel = "JOB",
      description = "ID, QUEUE/ID or queues/QUEUE/jobs/ID.")
  private List<String> jobs = new ArrayList<>();

  @Option(
      names = "--queue",
      paramLabel = "QUEUE",
      description =
          "Their queue, where there are several. Default: QUOTASHARE_QUEUE, else the context's, else"
              + " the one that has the job.")
  private @Nullable String queue;

  @Mixin private RequestIdOption requestId = new RequestIdOption();

  /** Does it to one. */
  abstract Job steer(JobHandle handle, @Nullable UUID id);

  /** What is true of the job now, without its id. */
  abstract String told(Job job);

  @Override
  protected int run(Session session) {
    int worst = ExitCode.OK;
    for (String reference : jobs) {
      try {
        JobHandle handle = session.job(reference, queue);
        UUID id = jobs.size() == 1 ? requestId.get() : requestId.of(handle.name());
        Job job = steer(handle, id);
        session.note(job.id() + " " + told(job));
      } catch (SchedulerUnavailableException e) {
        throw e;
      } catch (QuotaShareException e) {
        if (jobs.size() == 1) {
          throw e;
        }
        worst = Math.max(worst, session.refused(reference, e));
      }
    }
    return worst;
  }
}
