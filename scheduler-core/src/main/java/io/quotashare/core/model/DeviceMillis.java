package io.quotashare.core.model;

/**
 * Device-milliseconds of held devices by class (quota-semantics 6.7).
 *
 * @param useful work that was kept
 * @param startup start to first progress
 * @param lost work after the last durable state
 * @param saving asked to saved
 * @param draining saved or told to end, to free
 */
public record DeviceMillis(long useful, long startup, long lost, long saving, long draining) {
  /** Nothing. */
  public static final DeviceMillis ZERO = new DeviceMillis(0, 0, 0, 0, 0);

  /** Sum of both, class by class. */
  public DeviceMillis plus(DeviceMillis other) {
    return new DeviceMillis(
        useful + other.useful,
        startup + other.startup,
        lost + other.lost,
        saving + other.saving,
        draining + other.draining);
  }

  /** Sum over the classes. */
  public long total() {
    return useful + startup + lost + saving + draining;
  }
}
