package io.quotashare.client;

/** What happens to devices that no share owns (quota-semantics 3.c). */
public enum UnassignedCapacity {
  /** Shares that borrow may use them. */
  BORROWABLE,
  /** They stay idle. */
  IDLE,
  /** A newer scheduler sent a value that this client does not know. */
  UNRECOGNIZED
}
