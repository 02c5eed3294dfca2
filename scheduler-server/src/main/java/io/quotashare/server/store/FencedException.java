package io.quotashare.server.store;

/**
 * Another scheduler has taken the epoch: nothing was written, and this one must step down
 * (reliability C3, L1).
 */
public final class FencedException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final long newestEpoch;

  FencedException(long epoch, long newestEpoch) {
    super(
        "epoch: "
            + epoch
            + " (expected: "
            + newestEpoch
            + ", the newest): another scheduler leads, nothing was written",
        null);
    this.newestEpoch = newestEpoch;
  }

  /** The epoch that was taken last. */
  public long newestEpoch() {
    return newestEpoch;
  }
}
