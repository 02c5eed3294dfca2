package io.quotashare.agent.supervise;

/**
 * State of the lock of a device.
 *
 * @param free whether nobody holds it
 * @param holder what the holder wrote into it, for people; empty if free or unknown
 */
public record DeviceLock(boolean free, String holder) {
  /** Nobody holds it. */
  public static final DeviceLock FREE = new DeviceLock(true, "");
}
