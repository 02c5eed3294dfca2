package io.quotashare.client;

import static java.util.Objects.requireNonNull;

/**
 * A job that would be stopped.
 *
 * @param job {@code queues/{queue}/jobs/{job}}
 * @param share id of its share
 * @param cause why
 * @param beneficiaryJob id of the job that it would be stopped for; empty if none, or if it is the
 *     planned job
 * @param gpus devices that it holds
 * @param costDeviceSeconds expected cost in device-seconds: lost work, saving and starting again
 */
public record PlannedVictim(
    String job,
    String share,
    PreemptionCause cause,
    String beneficiaryJob,
    int gpus,
    double costDeviceSeconds) {
  /** Checks that nothing is null. */
  public PlannedVictim {
    requireNonNull(job, "job");
    requireNonNull(share, "share");
    requireNonNull(cause, "cause");
    requireNonNull(beneficiaryJob, "beneficiaryJob");
  }

  /** Id of the job inside its queue. */
  public String jobId() {
    return ResourceNames.lastId(job);
  }
}
