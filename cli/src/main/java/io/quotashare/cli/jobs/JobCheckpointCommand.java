package io.quotashare.cli.jobs;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.RequestIdOption;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.client.Attempt;
import io.quotashare.client.AwaitTimedOutException;
import io.quotashare.client.CheckpointNotConfirmedException;
import io.quotashare.client.Job;
import io.quotashare.client.JobHandle;
import io.quotashare.client.internal.Blocking;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quotashare job checkpoint}. */
@Command(
    name = "checkpoint",
    description = {
      "Ask a running job to save now, and to go on.",
      "Only a job that was submitted with --on-demand-checkpoint reads such requests; others are"
          + " refused."
    },
    exitCodeList = {
      "0:Asked; with --wait: it has saved.",
      "1:With --wait: its attempt ended before it had saved, or it took too long."
    },
    footer = {
      "  quotashare job checkpoint j-1",
      "  quotashare job checkpoint j-1 --wait --timeout 5m"
    })
final class JobCheckpointCommand extends SessionCommand {
  @Mixin private JobArgument argument = new JobArgument();

  @Option(names = "--wait", description = "Wait until it has confirmed that it has saved.")
  private boolean wait;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "With --wait: wait at most so long. Default: ${DEFAULT-VALUE}.",
      defaultValue = "10m")
  private Duration timeout = Duration.ofMinutes(10);

  @Mixin private RequestIdOption requestId = new RequestIdOption();

  @Override
  protected int run(Session session) {
    JobHandle handle = argument.handle(session);
    if (!wait) {
      Job job = Blocking.get(handle.checkpointAsync(requestId.get()));
      session.note(
          job.id()
              + " is asked to save"
              + request(job.latestAttempt())
              + "; quotashare job watch "
              + job.id()
              + " shows when it has");
      return ExitCode.OK;
    }
    try {
      Job job = handle.checkpointAndAwait(timeout);
      session.note(job.id() + " has saved" + step(job.latestAttempt()));
      return ExitCode.OK;
    } catch (CheckpointNotConfirmedException | AwaitTimedOutException e) {
      session.note(String.valueOf(e.getMessage()));
      return ExitCode.NOT_SO;
    }
  }

  private static String request(@Nullable Attempt attempt) {
    return attempt == null ? "" : " (request " + attempt.checkpointRequestSeq() + ")";
  }

  private static String step(@Nullable Attempt attempt) {
    return attempt == null || attempt.checkpointStep() == null
        ? ""
        : " its state of step " + attempt.checkpointStep();
  }
}
