package io.quotashare.core;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.JobKey;
import java.util.OptionalLong;

/**
 * A job that a lender could have stopped to get its devices back.
 *
 * @param job the job
 * @param gpus devices that it holds
 * @param checkpointStateMillis when the state in its newest durable checkpoint was captured; empty
 *     if it has none
 * @param lostDeviceMillis work that it would lose now
 */
public record LoanVictim(
    JobKey job, int gpus, OptionalLong checkpointStateMillis, long lostDeviceMillis) {
  public LoanVictim {
    requireNonNull(job, "job is null");
    requireNonNull(checkpointStateMillis, "checkpointStateMillis is null");
  }
}
