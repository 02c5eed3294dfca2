package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What a submission would do now; nothing was changed.
 *
 * @param job the job as it would be accepted, with defaults and the shape resolved; its state is
 *     that after the first decision
 * @param placement devices on each node that it would start on, by node rank; empty if it would not
 *     start at once
 * @param ownDevices devices within the share's own limit, if it would start at once or after the
 *     victims have gone
 * @param borrowedDevices devices that it would borrow
 * @param victims jobs that would be stopped, in any share
 * @param rejected others that would not be chosen, and why
 * @param summary one sentence that a person understands
 * @param details evidence, one sentence an entry, most important first
 */
public record JobPlan(
    Job job,
    List<NodeDevices> placement,
    int ownDevices,
    int borrowedDevices,
    List<PlannedVictim> victims,
    List<RejectedAlternative> rejected,
    String summary,
    List<String> details) {
  /** Checks that nothing is null and copies the lists. */
  public JobPlan {
    requireNonNull(job, "job");
    placement = List.copyOf(placement);
    victims = List.copyOf(victims);
    rejected = List.copyOf(rejected);
    requireNonNull(summary, "summary");
    details = List.copyOf(details);
  }

  /** True if it would start at once. */
  public boolean startsAtOnce() {
    return !placement.isEmpty();
  }
}
