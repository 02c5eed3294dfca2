package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

import java.util.List;

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
 * @param loans who lends what to whom at that instant, by lender and borrower
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
    long outside,
    List<Loan> loans) {
  public PoolMeter {
    requireNonNull(pool, "pool is null");
    loans = List.copyOf(loans);
  }

  /** An account of a pool that has no devices yet. */
  public static PoolMeter none(PoolKey pool, long nowMillis) {
    return new PoolMeter(pool, nowMillis, nowMillis, 0, 0, 0, 0, 0, 0, List.of());
  }

  /** The same with time passed in which nothing was there. */
  public PoolMeter until(long nowMillis) {
    return new PoolMeter(
        pool,
        startedAtMillis,
        nowMillis,
        held,
        heldForBeneficiary,
        reservedIdle,
        idle,
        unhealthy,
        outside,
        loans);
  }

  /** The same with another attribution of loans. */
  public PoolMeter with(List<Loan> newLoans) {
    return new PoolMeter(
        pool,
        startedAtMillis,
        untilMillis,
        held,
        heldForBeneficiary,
        reservedIdle,
        idle,
        unhealthy,
        outside,
        newLoans);
  }

  /** Sum over the classes: devices times wall time. */
  public long total() {
    return held + heldForBeneficiary + reservedIdle + idle + unhealthy + outside;
  }
}
