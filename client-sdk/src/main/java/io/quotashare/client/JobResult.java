package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * How a job ended.
 *
 * @param job the job in its terminal state
 */
public record JobResult(Job job) {
  /** Checks that the job has ended. */
  public JobResult {
    requireNonNull(job, "job");
    if (!job.state().isTerminal()) {
      throw new IllegalArgumentException(
          job.name() + " is " + job.state() + ", expected a job that has ended");
    }
  }

  /** SUCCEEDED, FAILED or CANCELLED. */
  public JobState state() {
    return job.state();
  }

  /** True if the command exited 0. */
  public boolean succeeded() {
    return job.state() == JobState.SUCCEEDED;
  }

  /** Exit code of the last attempt; null if it had none. */
  public @Nullable Integer exitCode() {
    Attempt last = job.latestAttempt();
    return last == null ? null : last.exitCode();
  }

  /** Why it ended, in words. */
  public String reason() {
    return job.endReason();
  }
}
