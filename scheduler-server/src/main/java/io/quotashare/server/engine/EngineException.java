package io.quotashare.server.engine;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** Why the engine did not do what a caller asked. Nothing was changed, unless said otherwise. */
public final class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Kind of failure. */
  public enum Kind {
    /** The queue of calls is full. */
    QUEUE_FULL,
    /** No room on the device of the store. */
    STORE_FULL,
    /** The store cannot be written for the moment. */
    STORE_UNAVAILABLE,
    /** The scheduler stops, or no longer leads. The call may have been carried out. */
    STOPPING,
    /** The request id was used before for another request. */
    REQUEST_ID_REUSED,
    /** The resource has changed since the caller read it. */
    ETAG_MISMATCH,
    /** A fault of the scheduler. */
    INTERNAL
  }

  private final Kind kind;
  private final long retryAfterMillis;

  /**
   * @param retryAfterMillis when a retry may help; 0 if it does not
   */
  public EngineException(Kind kind, String message, long retryAfterMillis, @Nullable Throwable e) {
    super(requireNonNull(message, "message is null"), e);
    this.kind = requireNonNull(kind, "kind is null");
    this.retryAfterMillis = retryAfterMillis;
  }

  public Kind kind() {
    return kind;
  }

  /** When a retry may help, in milliseconds; 0 if it does not. */
  public long retryAfterMillis() {
    return retryAfterMillis;
  }
}
