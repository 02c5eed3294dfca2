package io.quotashare.cli.jobs;

import io.quotashare.cli.RequestIdOption;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.client.Job;
import io.quotashare.client.JobHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that does the same to several jobs. */
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
    return EachJob.change(session, jobs, queue, requestId, this::steer, this::told);
  }
}
