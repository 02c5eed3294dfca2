package io.quotashare.core.state;

import io.quotashare.core.model.Job;
import io.quotashare.core.model.QuotaShare;
import java.util.Comparator;

/**
 * The front job of an enabled share, with what decides its place among the fronts of a pool. True
 * until something of its share changes.
 *
 * @param job the job
 * @param share its share
 * @param use what is charged to the share as planned, in devices
 * @param capacity what the share owns, in devices
 * @param within whether the share stays within its limit with it
 * @param withinAfterStops whether it does once own attempts of lower priority are stopped
 * @param hasOwnVictims whether the share may stop own attempts of lower priority for it
 */
public record Front(
    Job job,
    QuotaShare share,
    int use,
    int capacity,
    boolean within,
    boolean withinAfterStops,
    boolean hasOwnVictims) {
  /** Earlier submission first; the sequence is unique, so names never decide. */
  public static final Comparator<Front> BY_SUBMISSION =
      (a, b) -> Long.compare(a.job.sequence(), b.job.sequence());

  /**
   * Smallest use per limit first (quota-semantics 2.1), as a cross product: no share with a limit
   * of 0 is under its limit.
   */
  public static final Comparator<Front> BY_FILL =
      ((Comparator<Front>)
              (a, b) -> Long.compare((long) a.use * b.capacity, (long) b.use * a.capacity))
          .thenComparing(BY_SUBMISSION);

  /** Least use above the limit per weight first (2.3, FAIR), as a cross product. */
  public static final Comparator<Front> BY_FAIRNESS =
      ((Comparator<Front>)
              (a, b) ->
                  Long.compare(
                      (long) a.above() * b.share.weight(), (long) b.above() * a.share.weight()))
          .thenComparing(BY_SUBMISSION);

  private int above() {
    return Math.max(0, use - capacity);
  }

  /** Devices that it needs on each of its nodes. */
  public int gpusPerNode() {
    return job.spec().shape().gpusPerNode();
  }
}
