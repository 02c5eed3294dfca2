package io.quotashare.client;

/** Order inside a share (quota-semantics 2.4). */
public enum ShareOrdering {
  /** Nobody overtakes the front job. */
  STRICT,
  /** A later job may start if it does not delay the front job. */
  BACKFILL,
  /** A newer scheduler sent a value that this client does not know. */
  UNRECOGNIZED
}
