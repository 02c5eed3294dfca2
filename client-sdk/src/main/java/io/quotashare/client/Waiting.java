package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why a job waits (quota-semantics 7).
 *
 * @param reason the first reason that applies
 * @param detail one sentence for people, naming what blocks the job
 * @param since since when this reason applies; null if the scheduler does not say
 * @param permanent true if no state of the queue as configured could run the job
 */
public record Waiting(
    WaitingReason reason, String detail, @Nullable Instant since, boolean permanent) {
  /** Checks that nothing is null. */
  public Waiting {
    requireNonNull(reason, "reason");
    requireNonNull(detail, "detail");
  }
}
