package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job that would be stopped if the lender asked for its devices now.
 *
 * @param job job id
 * @param gpus devices that it holds
 * @param checkpointStateTime when the state in its newest durable checkpoint was captured; null if
 *     it has none
 * @param lostDeviceSeconds work that it would lose now, in device-seconds
 */
public record LoanVictim(
    String job, int gpus, @Nullable Instant checkpointStateTime, double lostDeviceSeconds) {
  /** Checks that nothing required is null. */
  public LoanVictim {
    requireNonNull(job, "job");
  }
}
