package io.quotashare.client;

import org.jspecify.annotations.Nullable;

/** The request id was used before for a request with another content. */
public final class RequestIdReusedException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client from what the scheduler answered. */
  public RequestIdReusedException(ErrorDetails details, @Nullable Throwable cause) {
    super(details, cause);
  }
}
