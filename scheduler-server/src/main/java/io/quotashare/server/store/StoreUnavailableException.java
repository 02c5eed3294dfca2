package io.quotashare.server.store;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** Nothing was written, and the same call may succeed later (reliability D1). */
public final class StoreUnavailableException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** What stands in the way. */
  public enum Reason {
    /** No room on the device. */
    FULL,
    /** Locked or used by others, or too many queries wait. */
    BUSY,
    /** The database cannot be reached. */
    DISCONNECTED
  }

  private final Reason reason;

  StoreUnavailableException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = requireNonNull(reason, "reason is null");
  }

  /** What stands in the way. */
  public Reason reason() {
    return reason;
  }
}
