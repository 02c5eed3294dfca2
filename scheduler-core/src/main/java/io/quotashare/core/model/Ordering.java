package io.quotashare.core.model;

/** Order inside a share (quota-semantics 2.4). */
public enum Ordering {
  /** Nobody overtakes the front job. */
  STRICT,
  /** A later job may start if it does not delay the front job. */
  BACKFILL
}
