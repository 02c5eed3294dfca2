package io.quotashare.client;

import static java.util.Objects.requireNonNull;

/**
 * The devices of a queue and unit; total is the sum of the others except {@code overcommitted}.
 *
 * @param unit capacity unit
 * @param total devices of all nodes of the queue
 * @param held held by attempts
 * @param heldForBeneficiary freed or kept for a job that is about to start
 * @param reservedIdle not held, and may not be lent
 * @param free not held, for anybody
 * @param outside in use by processes outside the scheduler
 * @param unhealthy unhealthy, or on a cordoned, draining or lost node, and held by nobody
 * @param overcommitted devices guaranteed beyond what exists: 0 if all limits fit
 */
public record PoolUsage(
    String unit,
    int total,
    int held,
    int heldForBeneficiary,
    int reservedIdle,
    int free,
    int outside,
    int unhealthy,
    int overcommitted) {
  /** Checks that nothing is null. */
  public PoolUsage {
    requireNonNull(unit, "unit");
  }
}
