package io.quotashare.core.model;

/** Use of devices that no share owns (quota-semantics 3c). */
public enum Unassigned {
  /** Shares that borrow may use them. */
  BORROWABLE,
  /** They stay idle. */
  IDLE
}
