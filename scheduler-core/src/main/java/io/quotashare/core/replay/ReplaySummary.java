package io.quotashare.core.replay;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.StopCause;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Figures of a whole replay.
 *
 * @param utilization devices held by attempts, as a part of devices times wall time, 0 to 1; 0 if
 *     no time passed
 * @param waits of all jobs
 * @param makespanMillis first submission (0 if a job ran before) to the end of the last job, or to
 *     the end of the replay if a job has not ended
 * @param jobs what became of the jobs
 * @param preemptions victims by cause, every cause listed
 * @param futilePreemptions preemptions whose beneficiary did not start on what they freed
 * @param held device-milliseconds held by attempts, by class (quota-semantics 6.7)
 * @param notHeld the others
 * @param shares by queue, then share
 */
public record ReplaySummary(
    double utilization,
    Waits waits,
    long makespanMillis,
    JobCounts jobs,
    Map<StopCause, Integer> preemptions,
    long futilePreemptions,
    DeviceMillis held,
    NotHeld notHeld,
    SortedMap<String, SortedMap<String, ShareSummary>> shares) {

  /** Jobs by how they ended; {@code submitted} counts those that ran at time 0 too. */
  public record JobCounts(int submitted, int succeeded, int failed, int cancelled) {}

  /** Device-milliseconds that no attempt held, by class (quota-semantics 6.7). */
  public record NotHeld(
      long heldForBeneficiary, long reservedIdle, long idle, long unhealthy, long outside) {}

  /**
   * Account of one share, over all its units.
   *
   * @param own device-milliseconds held within its limit
   * @param borrowed device-milliseconds held above it
   * @param lent device-milliseconds of its limit that others used
   * @param lost device-milliseconds of work lost at stops
   * @param waits of its jobs
   */
  public record ShareSummary(long own, long borrowed, long lent, long lost, Waits waits) {}

  /**
   * How long jobs waited: for each job the sum of the times in which it was SUBMITTED or RUNNABLE,
   * up to the end of the replay. Percentiles by nearest rank; all 0 without jobs.
   */
  public record Waits(
      double meanMillis, long p50Millis, long p95Millis, long p99Millis, long maxMillis) {
    /** No jobs. */
    public static final Waits NONE = new Waits(0, 0, 0, 0, 0);

    /** Of these waits, in any order. */
    static Waits of(List<Long> millis) {
      if (millis.isEmpty()) {
        return NONE;
      }
      long[] sorted = millis.stream().mapToLong(Long::longValue).sorted().toArray();
      double sum = 0;
      for (long wait : sorted) {
        sum += wait;
      }
      return new Waits(
          sum / sorted.length,
          rank(sorted, 50),
          rank(sorted, 95),
          rank(sorted, 99),
          sorted[sorted.length - 1]);
    }

    private static long rank(long[] sorted, int percent) {
      int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
      return sorted[Math.max(0, rank - 1)];
    }
  }

  public ReplaySummary {
    requireNonNull(waits, "waits is null");
    requireNonNull(jobs, "jobs is null");
    preemptions = Collections.unmodifiableMap(new EnumMap<>(preemptions));
    requireNonNull(held, "held is null");
    requireNonNull(notHeld, "notHeld is null");
    shares = Collections.unmodifiableSortedMap(new TreeMap<>(shares));
  }
}
