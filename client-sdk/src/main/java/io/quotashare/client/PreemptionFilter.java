package io.quotashare.client;

import static java.util.Objects.requireNonNull;

/**
 * Which preemptions a list is about.
 *
 * @param share only victims of this share id; empty: all
 * @param job only preemptions of which this job id is the victim or the beneficiary; empty: all
 */
public record PreemptionFilter(String share, String job) {
  /** Checks that nothing is null. */
  public PreemptionFilter {
    requireNonNull(share, "share");
    requireNonNull(job, "job");
  }

  /** All preemptions of a queue. */
  public static PreemptionFilter all() {
    return new PreemptionFilter("", "");
  }

  /** The same, only victims of this share. */
  public PreemptionFilter ofShare(String wanted) {
    return new PreemptionFilter(wanted, job);
  }

  /** The same, only where this job is the victim or the beneficiary. */
  public PreemptionFilter ofJob(String wanted) {
    return new PreemptionFilter(share, wanted);
  }
}
