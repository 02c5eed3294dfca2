package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * A limit on the time that a job may wait for one reason (quota-semantics 7).
 *
 * @param reason code of the waiting reason, such as QUEUE_CAPACITY_EXCEEDED
 * @param max longest wait for it; the job is FAILED afterwards
 */
public record StateTimeLimit(String reason, Duration max) {
  /** Checks that nothing is null. */
  public StateTimeLimit {
    requireNonNull(reason, "reason");
    requireNonNull(max, "max");
  }
}
