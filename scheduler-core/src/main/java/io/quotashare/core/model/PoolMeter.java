package io.quotashare.core.model;

/**
 * Device-milliseconds of a pool since it first had devices, up to an instant (quota-semantics 6.7).
 *
 * @param pool the pool
 * @param startedAtMillis when it first had devices
 * @param untilMillis up to when it is counted
 * @param held held by attempts
 * @param heldForBeneficiary kept for a plan or a hold
 * @param reservedIdle free and withheld
 * @param idle free for anybody
 * @param unhealthy unhealthy, or on a cordoned, draining or lost node
 * @param outside in use by a foreign process
 */
public record PoolMeter(
    PoolKey pool,
    long startedAtMillis,
    long untilMillis,
    long held,
    long heldForBeneficiary,
    long reservedIdle,
    long idle,
    long unhealthy,
    long outside) {
  /** Sum over the classes: devices times wall time. */
  public long total() {
    return held + heldForBeneficiary + reservedIdle + idle + unhealthy + outside;
  }
}
