package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

/**
 * Identity of a pool: the devices of one capacity unit in one queue. Limits, fronts and ledgers are
 * per pool.
 *
 * @param queue queue id
 * @param unit capacity unit
 */
public record PoolKey(String queue, String unit) implements Comparable<PoolKey> {
  public PoolKey {
    requireNonNull(queue, "queue is null");
    requireNonNull(unit, "unit is null");
  }

  @Override
  public int compareTo(PoolKey other) {
    int byQueue = queue.compareTo(other.queue);
    return byQueue != 0 ? byQueue : unit.compareTo(other.unit);
  }
}
