package io.quotashare.client;

import static java.util.Objects.requireNonNull;

/**
 * Device-seconds of one share.
 *
 * @param share share id
 * @param unit capacity unit
 * @param own held within the limit
 * @param borrowed held above the limit, within the borrow limit
 * @param over held above both
 * @param lent part of the limit that others used
 * @param idle part of the limit that nobody used
 * @param classes held ones by class; the classes of devices that nobody holds are 0 here
 */
public record ShareDeviceSeconds(
    String share,
    String unit,
    double own,
    double borrowed,
    double over,
    double lent,
    double idle,
    DeviceSeconds classes) {
  /** Checks that nothing is null. */
  public ShareDeviceSeconds {
    requireNonNull(share, "share");
    requireNonNull(unit, "unit");
    requireNonNull(classes, "classes");
  }
}
