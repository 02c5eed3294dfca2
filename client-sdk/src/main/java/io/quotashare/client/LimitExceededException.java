package io.quotashare.client;

import org.jspecify.annotations.Nullable;

/** A bound of the scheduler is reached; {@link #retryAfter()} says when to try again. */
public final class LimitExceededException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client from what the scheduler answered. */
  public LimitExceededException(ErrorDetails details, @Nullable Throwable cause) {
    super(details, cause);
  }
}
