package io.quotashare.client;

import org.jspecify.annotations.Nullable;

/** The resource changed since it was read: read it again and decide again. */
public final class ConflictException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client from what the scheduler answered. */
  public ConflictException(ErrorDetails details, @Nullable Throwable cause) {
    super(details, cause);
  }
}
