package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A share with what it uses.
 *
 * @param share as configured
 * @param usage one entry a capacity unit
 * @param preemptedLast24h preemptions of its jobs in the last 24 hours
 * @param lostDeviceHoursLast24h device-hours of work lost in the last 24 hours
 * @param removing true if it is being removed: it takes no jobs and no changes, and is gone when
 *     the last of its jobs has ended
 */
public record ShareStatus(
    QuotaShare share,
    List<ShareUsage> usage,
    int preemptedLast24h,
    double lostDeviceHoursLast24h,
    boolean removing) {
  /** Checks that nothing is null and copies the list. */
  public ShareStatus {
    requireNonNull(share, "share");
    usage = List.copyOf(usage);
  }
}
