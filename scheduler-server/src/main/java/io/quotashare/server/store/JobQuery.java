package io.quotashare.server.store;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.JobState;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which jobs.
 *
 * @param queue only of this queue; empty for all
 * @param share only of this share id; empty for all
 * @param states only in these states; empty for all
 * @param labels only with all of these labels
 * @param pageSize 1 to {@link StateStore#MAX_PAGE_SIZE}
 * @param pageToken token of the previous page; empty for the first
 */
public record JobQuery(
    String queue,
    String share,
    Set<JobState> states,
    SortedMap<String, String> labels,
    int pageSize,
    String pageToken) {
  public JobQuery {
    requireNonNull(queue, "queue is null");
    requireNonNull(share, "share is null");
    states = Set.copyOf(states);
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    Page.checkSize(pageSize);
    requireNonNull(pageToken, "pageToken is null");
  }

  /** All jobs of a queue. */
  public static JobQuery ofQueue(String queue, int pageSize) {
    return new JobQuery(queue, "", Set.of(), new TreeMap<>(), pageSize, "");
  }
}
