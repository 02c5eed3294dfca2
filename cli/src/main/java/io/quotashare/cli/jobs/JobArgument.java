package io.quotashare.cli.jobs;

import io.quotashare.cli.Session;
import io.quotashare.client.JobHandle;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The job that a command is about. */
final class JobArgument {
  @Parameters(
      index = "0",
      paramLabel = "JOB",
      description = "ID, QUEUE/ID or queues/QUEUE/jobs/ID.")
  private String job = "";

  @Option(
      names = "--queue",
      paramLabel = "QUEUE",
      description =
          "Its queue, where there are several. Default: QUOTASHARE_QUEUE, else the context's, else"
              + " the one that has the job.")
  private @Nullable String queue;

  JobHandle handle(Session session) {
    return session.job(job, queue);
  }
}
