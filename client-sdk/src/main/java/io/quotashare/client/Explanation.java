package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job waits, was stopped, or could be stopped.
 *
 * @param job the job
 * @param summary one sentence that a person understands
 * @param details evidence, one sentence an entry, most important first
 * @param rejected jobs that were not chosen as victims for this one, and why
 * @param stoppingJobs ids of the jobs that are being stopped for this one
 * @param expectedStart when it starts at the latest if nothing else happens: what it waits for ends
 *     by its deadlines and time limits, and no other job goes before it; null if it does not wait,
 *     or if that cannot be told
 */
public record Explanation(
    Job job,
    String summary,
    List<String> details,
    List<RejectedAlternative> rejected,
    List<String> stoppingJobs,
    @Nullable Instant expectedStart) {
  /** Checks that nothing is null and copies the lists. */
  public Explanation {
    requireNonNull(job, "job");
    requireNonNull(summary, "summary");
    details = List.copyOf(details);
    rejected = List.copyOf(rejected);
    stoppingJobs = List.copyOf(stoppingJobs);
  }
}
