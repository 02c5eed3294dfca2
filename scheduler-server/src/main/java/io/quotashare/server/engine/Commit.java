package io.quotashare.server.engine;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.Batch;
import io.quotashare.core.Scheduler;

/**
 * A batch that is durable.
 *
 * @param revision its number
 * @param atMillis when it was decided
 * @param batch what changed, and what is to be told
 * @param scheduler the state after it
 * @param decisionNanos time that applying and deciding took
 * @param commitNanos time that the store took
 */
public record Commit(
    long revision,
    long atMillis,
    Batch batch,
    Scheduler scheduler,
    long decisionNanos,
    long commitNanos) {
  public Commit {
    requireNonNull(batch, "batch is null");
    requireNonNull(scheduler, "scheduler is null");
  }
}
