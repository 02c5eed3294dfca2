package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

/**
 * Why a job waits (quota-semantics 7).
 *
 * @param reason the first that applies
 * @param detail one sentence for people, naming what blocks the job
 * @param sinceMillis since when this reason applies
 */
public record Waiting(WaitingReason reason, String detail, long sinceMillis) {
  public Waiting {
    requireNonNull(reason, "reason is null");
    requireNonNull(detail, "detail is null");
  }
}
