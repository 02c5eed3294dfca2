package io.quotashare.client;

/** Whether a queue stops attempts for others. */
public enum PreemptionMode {
  /** Stops whom the rules say. */
  ENFORCE,
  /** Decides, explains and records whom it would stop, and stops nobody. */
  OBSERVE_ONLY,
  /** A newer scheduler sent a value that this client does not know. */
  UNRECOGNIZED
}
