package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * Fronts, usage and capacity of a queue at one instant.
 *
 * @param queue the queue
 * @param pools one entry a capacity unit
 * @param shares shares with their usage
 * @param fronts one front job a share and unit, where one waits
 */
public record QueueSnapshot(
    Queue queue, List<PoolUsage> pools, List<ShareStatus> shares, List<FrontJob> fronts) {
  /** Checks that nothing is null and copies the lists. */
  public QueueSnapshot {
    requireNonNull(queue, "queue");
    pools = List.copyOf(pools);
    shares = List.copyOf(shares);
    fronts = List.copyOf(fronts);
  }
}
