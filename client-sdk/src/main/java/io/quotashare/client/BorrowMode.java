package io.quotashare.client;

/** Whether a job may run on devices that other shares lend (quota-semantics 3.c). */
public enum BorrowMode {
  /** The strategy of the share decides. */
  ALLOWED,
  /** Starts only within the share's own limit: it would rather wait than be reclaimed. */
  NEVER,
  /** A newer scheduler sent a value that this client does not know. */
  UNRECOGNIZED
}
