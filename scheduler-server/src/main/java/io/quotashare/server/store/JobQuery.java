package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobState;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs, in which order, and from where to where.
 *
 * @param order order of the list
 * @param queue only of this queue; empty for all
 * @param share only of this share id; empty for all
 * @param states only in these states; empty for all
 * @param labels only with all of these labels
 * @param after only what comes after this place; null for all
 * @param until only what comes up to this place; null for all
 * @param limit most jobs that are returned, 1 or more
 * @param scan most rows that are looked at, matching or not, {@code limit} or more
 */
public record JobQuery(
    JobOrder order,
    String queue,
    String share,
    Set<JobState> states,
    SortedMap<String, String> labels,
    @Nullable JobPlace after,
    @Nullable JobPlace until,
    int limit,
    int scan) {
  public JobQuery {
    requireNonNull(order, "order is null");
    requireNonNull(queue, "queue is null");
    requireNonNull(share, "share is null");
    states = Set.copyOf(states);
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    checkArgument(limit >= 1, "limit: %s (expected: >= 1)", limit);
    checkArgument(scan >= limit, "scan: %s (expected: >= limit, %s)", scan, limit);
  }

  /** The first jobs of a queue by id. */
  public static JobQuery ofQueue(String queue, int limit) {
    return new JobQuery(
        JobOrder.ID, queue, "", Set.of(), new TreeMap<>(), null, null, limit, limit);
  }

  /** Whether share and state are as asked for. */
  boolean admits(String jobShare, JobState state) {
    return (share.isEmpty() || share.equals(jobShare))
        && (states.isEmpty() || states.contains(state));
  }

  /** Whether its labels are as asked for. */
  boolean admitsLabelsOf(Job job) {
    return job.spec().labels().entrySet().containsAll(labels.entrySet());
  }
}
