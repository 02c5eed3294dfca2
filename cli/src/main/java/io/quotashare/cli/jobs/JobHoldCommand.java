package io.quotashare.cli.jobs;

import io.quotashare.client.ChangeOptions;
import io.quotashare.client.Job;
import io.quotashare.client.JobHandle;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code quotashare job hold}. */
@Command(
    name = "hold",
    description = {
      "Hold waiting jobs back: they are passed over until they are released.",
      "A job that runs is not stopped by this, and is refused: see quotashare job requeue --hold."
    },
    footer = {"  quotashare job hold j-1", "  quotashare job hold j-1 j-2"})
final class JobHoldCommand extends SteerCommand {
  @Override
  Job steer(JobHandle handle, @Nullable UUID id) {
    return handle.hold(new ChangeOptions("", id));
  }

  @Override
  String told(Job job) {
    return "is held back; quotashare job release " + job.id() + " lets it go on";
  }
}
