package io.quotashare.client;

import org.jspecify.annotations.Nullable;

/** The answer did not come within the deadline. The call may have had its effect. */
public final class CallTimedOutException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client from what the scheduler answered. */
  public CallTimedOutException(ErrorDetails details, @Nullable Throwable cause) {
    super(details, cause);
  }
}
