package io.quotashare.client;

import static java.util.Objects.requireNonNull;

/**
 * The front job of a share.
 *
 * @param share share id
 * @param unit capacity unit
 * @param job the job
 */
public record FrontJob(String share, String unit, Job job) {
  /** Checks that nothing is null. */
  public FrontJob {
    requireNonNull(share, "share");
    requireNonNull(unit, "unit");
    requireNonNull(job, "job");
  }
}
