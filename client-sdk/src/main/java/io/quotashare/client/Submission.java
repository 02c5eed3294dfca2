package io.quotashare.client;

import static java.util.Objects.requireNonNull;

/**
 * One entry of a batch, see {@link JobsClient#submitAll}.
 *
 * @param spec what to run
 * @param options id and request id of this entry
 */
public record Submission(JobSpec spec, SubmitOptions options) {
  /** Checks that nothing is null. */
  public Submission {
    requireNonNull(spec, "spec");
    requireNonNull(options, "options");
  }

  /** With an id from the scheduler. */
  public static Submission of(JobSpec spec) {
    return new Submission(spec, SubmitOptions.defaults());
  }
}
