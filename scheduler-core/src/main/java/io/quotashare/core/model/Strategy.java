package io.quotashare.core.model;

/** What a share lets happen to its idle devices (quota-semantics 1). */
public enum Strategy {
  /** Neither lends nor borrows. */
  RESERVE(false, false),
  /** Lends, up to its lend limit. */
  LEND(true, false),
  /** Lends likewise, and borrows up to its borrow limit. */
  LEND_AND_BORROW(true, true);

  private final boolean lends;
  private final boolean borrows;

  Strategy(boolean lends, boolean borrows) {
    this.lends = lends;
    this.borrows = borrows;
  }

  /** Whether idle devices of the share may be used by others. */
  public boolean lends() {
    return lends;
  }

  /** Whether the share may use devices beyond its own limit. */
  public boolean borrows() {
    return borrows;
  }
}
