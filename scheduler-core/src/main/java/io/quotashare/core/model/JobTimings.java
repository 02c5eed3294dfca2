package io.quotashare.core.model;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * What was measured of a job so far; it prices the job as a victim (quota-semantics 4.5 iii).
 *
 * @param saveMillis durations of confirmed on-demand checkpoints, the newest {@link #MAX_SAMPLES}
 * @param startupMillis start to first progress of the newest attempt that got there
 */
public record JobTimings(List<Long> saveMillis, OptionalLong startupMillis) {
  /** Samples that are kept. */
  public static final int MAX_SAMPLES = 20;

  /** Nothing measured. */
  public static final JobTimings NONE = new JobTimings(List.of(), OptionalLong.empty());

  public JobTimings {
    saveMillis = List.copyOf(saveMillis);
    checkArgument(
        saveMillis.size() <= MAX_SAMPLES,
        "saveMillis: %s samples (expected: at most %s)",
        saveMillis.size(),
        MAX_SAMPLES);
    requireNonNull(startupMillis, "startupMillis is null");
  }

  /**
   * 95th percentile of the save times, by nearest rank; empty if no checkpoint was ever confirmed.
   */
  public OptionalLong saveP95Millis() {
    if (saveMillis.isEmpty()) {
      return OptionalLong.empty();
    }
    List<Long> sorted = new ArrayList<>(saveMillis);
    Collections.sort(sorted);
    int rank = (int) Math.ceil(0.95 * sorted.size());
    return OptionalLong.of(sorted.get(rank - 1));
  }

  public JobTimings withSave(long millis) {
    List<Long> samples = new ArrayList<>(saveMillis);
    samples.add(millis);
    return new JobTimings(
        samples.subList(Math.max(0, samples.size() - MAX_SAMPLES), samples.size()), startupMillis);
  }

  public JobTimings withStartup(long millis) {
    return new JobTimings(saveMillis, OptionalLong.of(millis));
  }
}
