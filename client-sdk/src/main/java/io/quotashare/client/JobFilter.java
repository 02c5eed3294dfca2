package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which jobs a list is about.
 *
 * @param queue queue id, or {@link ResourceNames#ALL_QUEUES}
 * @param states only these states; empty: all
 * @param share only this share id; empty: all
 * @param labels only jobs that carry all of these labels
 */
public record JobFilter(
    String queue, Set<JobState> states, String share, Map<String, String> labels) {
  /** Checks that nothing is null and copies the collections. */
  public JobFilter {
    requireNonNull(queue, "queue");
    states = Set.copyOf(states);
    if (states.contains(JobState.UNRECOGNIZED)) {
      throw new IllegalArgumentException("states: UNRECOGNIZED cannot be asked for");
    }
    requireNonNull(share, "share");
    labels = Collect.copy(labels);
  }

  /** All jobs of all queues. */
  public static JobFilter all() {
    return new JobFilter(ResourceNames.ALL_QUEUES, Set.of(), "", Map.of());
  }

  /** All jobs of one queue. */
  public static JobFilter of(String queue) {
    return new JobFilter(queue, Set.of(), "", Map.of());
  }

  /** The same, only in these states. */
  public JobFilter in(JobState... wanted) {
    return new JobFilter(queue, new TreeSet<>(Arrays.asList(wanted)), share, labels);
  }

  /** The same, only of this share. */
  public JobFilter ofShare(String wanted) {
    return new JobFilter(queue, states, wanted, labels);
  }

  /** The same, only with this label too. */
  public JobFilter labelled(String key, String value) {
    Map<String, String> more = new TreeMap<>(labels);
    more.put(key, value);
    return new JobFilter(queue, states, share, more);
  }
}
