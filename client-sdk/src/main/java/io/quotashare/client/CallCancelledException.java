package io.quotashare.client;

import org.jspecify.annotations.Nullable;

/** The call was cancelled, or the thread that waited for it was interrupted. */
public final class CallCancelledException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client from what the scheduler answered. */
  public CallCancelledException(ErrorDetails details, @Nullable Throwable cause) {
    super(details, cause);
  }
}
