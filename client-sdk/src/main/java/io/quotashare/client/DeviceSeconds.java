package io.quotashare.client;

/**
 * Device-seconds by what they were used for; every device-second is in exactly one field
 * (quota-semantics 6.7).
 *
 * @param useful work that was kept
 * @param startup from the start of an attempt to its first progress
 * @param lost work after the last durable state, found at the stop
 * @param saving from the request to save to the confirmation
 * @param draining from saved, or told to end, to free
 * @param heldForBeneficiary kept free for a job that is about to start
 * @param reservedIdle idle and not to be lent
 * @param idle idle
 * @param unhealthy unhealthy, or on a cordoned, draining or lost node
 * @param outside in use by processes outside the scheduler
 */
public record DeviceSeconds(
    double useful,
    double startup,
    double lost,
    double saving,
    double draining,
    double heldForBeneficiary,
    double reservedIdle,
    double idle,
    double unhealthy,
    double outside) {
  /** All ten classes together. */
  public double sum() {
    return held() + heldForBeneficiary + reservedIdle + idle + unhealthy + outside;
  }

  /** The classes of devices that attempts hold. */
  public double held() {
    return useful + startup + lost + saving + draining;
  }
}
