package io.quotashare.client;

/** Whether a queue or share takes jobs (quota-semantics 9.3). */
public enum AdminState {
  /** In use. */
  ENABLED,
  /** Refuses submissions; waiting jobs wait, what runs finishes. */
  DISABLED,
  /** A newer scheduler sent a value that this client does not know. */
  UNRECOGNIZED
}
