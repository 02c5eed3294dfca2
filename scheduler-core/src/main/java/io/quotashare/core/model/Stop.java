package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * That an attempt was told to stop.
 *
 * @param cause why
 * @param beneficiary job that it is for; null for causes without one
 * @param requestedAtMillis when
 * @param deadlineMillis instant of SIGKILL (quota-semantics 6.1)
 * @param saveFirst whether the job is asked to save before SIGTERM
 * @param requestSeq number of the request among those of the attempt
 * @param savedAtMillis when it confirmed a checkpoint for this request; empty if it did not
 * @param detail said by whoever asked for it; may be empty
 */
public record Stop(
    StopCause cause,
    @Nullable JobKey beneficiary,
    long requestedAtMillis,
    long deadlineMillis,
    boolean saveFirst,
    long requestSeq,
    OptionalLong savedAtMillis,
    String detail) {
  public Stop {
    requireNonNull(cause, "cause is null");
    requireNonNull(savedAtMillis, "savedAtMillis is null");
    requireNonNull(detail, "detail is null");
  }

  public Stop savedAt(long nowMillis) {
    return new Stop(
        cause,
        beneficiary,
        requestedAtMillis,
        deadlineMillis,
        saveFirst,
        requestSeq,
        OptionalLong.of(nowMillis),
        detail);
  }
}
