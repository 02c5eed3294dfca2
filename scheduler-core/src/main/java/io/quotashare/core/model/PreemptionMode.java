package io.quotashare.core.model;

/** What becomes of the decisions of a queue to stop somebody. */
public enum PreemptionMode {
  /** Stops whom the rules say. */
  ENFORCE,
  /** Decides, explains and records whom it would stop, and stops nobody. */
  OBSERVE_ONLY
}
