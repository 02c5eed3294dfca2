package io.quotashare.server.engine;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.Change;
import io.quotashare.core.Scheduler;
import java.util.List;

/**
 * The state as a new leader finds it.
 *
 * @param scheduler made from the rows
 * @param rows newest row of every key
 * @param revision revision of the newest batch; 0 if there was none
 * @param nowMillis time of the scheduler
 * @param nowNanos the same by the monotonic clock
 */
public record Restored(
    Scheduler scheduler, List<Change> rows, long revision, long nowMillis, long nowNanos) {
  public Restored {
    requireNonNull(scheduler, "scheduler is null");
    rows = List.copyOf(rows);
  }
}
