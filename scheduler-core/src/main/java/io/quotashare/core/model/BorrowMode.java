package io.quotashare.core.model;

/** Whether a job may run on borrowed devices (quota-semantics 3c). */
public enum BorrowMode {
  /** The share's strategy decides. */
  ALLOWED,
  /** Starts only within the share's own limit: it would rather wait than be reclaimed. */
  NEVER
}
