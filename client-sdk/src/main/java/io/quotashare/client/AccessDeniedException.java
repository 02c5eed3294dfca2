package io.quotashare.client;

import org.jspecify.annotations.Nullable;

/** The caller may not do this. */
public final class AccessDeniedException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client from what the scheduler answered. */
  public AccessDeniedException(ErrorDetails details, @Nullable Throwable cause) {
    super(details, cause);
  }
}
