package io.quotashare.client;

import org.jspecify.annotations.Nullable;

/** The scheduler does not know this call: it is of an older release. */
public final class UnsupportedCallException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client from what the scheduler answered. */
  public UnsupportedCallException(ErrorDetails details, @Nullable Throwable cause) {
    super(details, cause);
  }
}
