package io.quotashare.core;

import java.util.List;

/**
 * All that decisions depend on at one instant. Holds references to rows, which never change, so
 * taking it is cheap and any thread may {@link #open} it.
 *
 * @param rows rows of all but jobs that have ended
 * @param recovering whether decisions are held back while agents are waited for
 */
public record SchedulerCopy(List<Change> rows, boolean recovering) {
  public SchedulerCopy {
    rows = List.copyOf(rows);
  }

  /** A scheduler that decides the same; nothing that is done to it has consequences. */
  public Scheduler open() {
    Scheduler scheduler = Scheduler.restore(rows);
    if (recovering) {
      scheduler.recovering(true);
    }
    return scheduler;
  }
}
