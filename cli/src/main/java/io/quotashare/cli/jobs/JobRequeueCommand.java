package io.quotashare.cli.jobs;

import io.quotashare.client.Job;
import io.quotashare.client.JobHandle;
import io.quotashare.client.RequeueOptions;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quotashare job requeue}. */
@Command(
    name = "requeue",
    description = {
      "Stop jobs that run, checkpoint first, and queue them again.",
      "Uses no retry and no preemption budget. A job keeps its place among equals."
    },
    footer = {
      "  quotashare job requeue j-1",
      "  quotashare job requeue j-1 --hold --reason \"data is being mended\""
    })
final class JobRequeueCommand extends SteerCommand {
  @Option(
      names = "--hold",
      description = "Hold them back as well, so that they do not start again before a release.")
  private boolean hold;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Recorded with the attempt, up to 512 characters. Default: none.")
  private String reason = "";

  @Override
  Job steer(JobHandle handle, @Nullable UUID id) {
    return handle.requeue(new RequeueOptions(hold, reason, "", id));
  }

  @Override
  String told(Job job) {
    String then =
        job.held()
            ? "; it is held back then, and quotashare job release " + job.id() + " lets it go on"
            : "";
    return (job.state().isWaiting() ? "waits again" : "is asked to save and stop") + then;
  }
}
