package io.quotashare.client;

import org.jspecify.annotations.Nullable;

/** The revision that a watch wants to resume from is no longer kept: list again and watch anew. */
public final class RevisionExpiredException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client from what the scheduler answered. */
  public RevisionExpiredException(ErrorDetails details, @Nullable Throwable cause) {
    super(details, cause);
  }
}
