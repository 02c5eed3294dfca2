package io.quotashare.client;

/** Whether a device can be given to an attempt. */
public enum DeviceState {
  /** Nobody holds it. */
  FREE,
  /** Held by an attempt. */
  HELD,
  /** A process outside the scheduler uses it. */
  OUTSIDE,
  /** Not usable; {@link NodeDevice#healthDetail()} says why. */
  UNHEALTHY,
  /** A newer scheduler sent a value that this client does not know. */
  UNRECOGNIZED
}
