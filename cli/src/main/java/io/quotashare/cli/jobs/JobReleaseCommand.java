package io.quotashare.cli.jobs;

import io.quotashare.client.ChangeOptions;
import io.quotashare.client.Job;
import io.quotashare.client.JobHandle;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code quotashare job release}. */
@Command(
    name = "release",
    description = {
      "Let jobs that are held back take part again, in their old place.",
      "Does nothing to a job that is not held."
    },
    footer = {"  quotashare job release j-1"})
final class JobReleaseCommand extends SteerCommand {
  @Override
  Job steer(JobHandle handle, @Nullable UUID id) {
    return handle.release(new ChangeOptions("", id));
  }

  @Override
  String told(Job job) {
    return "is not held back, and is " + job.state();
  }
}
