package io.quotashare.client;

import org.jspecify.annotations.Nullable;

/**
 * A value of the request is not valid; {@link #fields()} names it. Repeating the call does not
 * help.
 */
public final class InvalidRequestException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client from what the scheduler answered. */
  public InvalidRequestException(ErrorDetails details, @Nullable Throwable cause) {
    super(details, cause);
  }
}
