package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What a policy would do now; nothing was changed.
 *
 * @param changes what would become of queues and shares
 * @param wouldStart names of waiting jobs that would start at once
 * @param wouldStop jobs that would be stopped
 * @param wouldCancel names of jobs that would be cancelled because their share would be removed
 * @param wouldWait number of jobs that would still wait
 * @param unlistedJobs jobs of the three lists beyond the first 1000 of each, which are listed
 */
public record PolicyPlan(
    PolicyResult changes,
    List<String> wouldStart,
    List<PlannedVictim> wouldStop,
    List<String> wouldCancel,
    int wouldWait,
    int unlistedJobs) {
  /** Checks that nothing is null and copies the lists. */
  public PolicyPlan {
    requireNonNull(changes, "changes");
    wouldStart = List.copyOf(wouldStart);
    wouldStop = List.copyOf(wouldStop);
    wouldCancel = List.copyOf(wouldCancel);
  }
}
