package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * The usage ledger of a pool at one instant (quota-semantics 6.7): sums since the pool first had
 * devices, in device-milliseconds. What lies between two instants is the difference of two samples.
 *
 * @param pool the pool
 * @param atMillis the instant
 * @param startedAtMillis when the pool first had devices; all sums were 0 then
 * @param heldForBeneficiary kept for a plan or a hold
 * @param reservedIdle free and withheld
 * @param idle free for anybody
 * @param unhealthy unhealthy, or on a cordoned, draining or lost node
 * @param outside in use by a foreign process
 * @param shares accounts of its shares, those that were deleted included
 */
public record UsageSample(
    PoolKey pool,
    long atMillis,
    long startedAtMillis,
    long heldForBeneficiary,
    long reservedIdle,
    long idle,
    long unhealthy,
    long outside,
    List<ShareUsage> shares) {
  public UsageSample {
    requireNonNull(pool, "pool is null");
    shares = List.copyOf(shares);
  }

  /**
   * Account of one share.
   *
   * @param share share id
   * @param own held within the limit
   * @param borrowed held above it, within the borrow limit
   * @param over held above both
   * @param lent part of the limit that others used
   * @param idle part of the limit that nobody used
   * @param classes of all it ever held; their total is own + borrowed + over
   */
  public record ShareUsage(
      String share,
      long own,
      long borrowed,
      long over,
      long lent,
      long idle,
      DeviceMillis classes) {
    public ShareUsage {
      requireNonNull(share, "share is null");
      requireNonNull(classes, "classes is null");
    }
  }

  /** The accounts as they stand. */
  public static ShareUsage account(ShareMeter meter, DeviceMillis classes) {
    return new ShareUsage(
        meter.share().share(),
        meter.own(),
        meter.borrowed(),
        meter.over(),
        meter.lent(),
        meter.idle(),
        classes);
  }

  /** A sample of the accounts as they stand. */
  public static UsageSample of(PoolMeter meter, long atMillis, List<ShareUsage> shares) {
    return new UsageSample(
        meter.pool(),
        atMillis,
        meter.startedAtMillis(),
        meter.heldForBeneficiary(),
        meter.reservedIdle(),
        meter.idle(),
        meter.unhealthy(),
        meter.outside(),
        shares);
  }
}
