package io.quotashare.client;

/** What a share lets happen to its idle devices (quota-semantics 1). */
public enum SharingStrategy {
  /** Neither lends nor borrows. */
  RESERVE,
  /** Lends what is idle. */
  LEND,
  /** Lends what is idle and borrows what others lend. */
  LEND_AND_BORROW,
  /** A newer scheduler sent a value that this client does not know. */
  UNRECOGNIZED;

  /** True if idle devices of such a share may be used by others. */
  public boolean lends() {
    return this == LEND || this == LEND_AND_BORROW;
  }

  /** True if such a share may use idle devices of others. */
  public boolean borrows() {
    return this == LEND_AND_BORROW;
  }
}
