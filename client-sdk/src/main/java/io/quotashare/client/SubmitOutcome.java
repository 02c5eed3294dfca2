package io.quotashare.client;

import static java.util.Objects.requireNonNull;

/** What became of one entry of a batch, see {@link JobsClient#submitAll}. */
public sealed interface SubmitOutcome {
  /**
   * The job is durable.
   *
   * @param job the job as accepted
   * @param handle to steer it
   */
  record Accepted(Job job, JobHandle handle) implements SubmitOutcome {
    /** Checks that nothing is null. */
    public Accepted {
      requireNonNull(job, "job");
      requireNonNull(handle, "handle");
    }
  }

  /**
   * The entry was refused; nothing of it is left.
   *
   * @param code status code of the refusal, such as INVALID_ARGUMENT
   * @param failure what {@link JobsClient#submit} would have thrown
   */
  record Refused(String code, QuotaShareException failure) implements SubmitOutcome {
    /** Checks that nothing is null. */
    public Refused {
      requireNonNull(code, "code");
      requireNonNull(failure, "failure");
    }
  }
}
