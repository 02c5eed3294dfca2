package io.quotashare.client;

import static java.util.Objects.requireNonNull;

/**
 * What a share uses of one unit, in devices held at this instant (quota-semantics 1).
 *
 * @param unit capacity unit
 * @param limit own capacity limit
 * @param used devices held by its attempts: own + borrowed + over
 * @param own held within the limit
 * @param borrowed held above the limit, within the borrow limit
 * @param over held above limit and borrow limit, left behind by a lowered limit
 * @param lent unused part of the limit that others use
 * @param idle unused part of the limit that nobody uses
 * @param waitingJobs jobs that wait
 * @param waitingGpus devices that the waiting jobs ask for
 */
public record ShareUsage(
    String unit,
    int limit,
    int used,
    int own,
    int borrowed,
    int over,
    int lent,
    int idle,
    int waitingJobs,
    int waitingGpus) {
  /** Checks that nothing is null. */
  public ShareUsage {
    requireNonNull(unit, "unit");
  }
}
