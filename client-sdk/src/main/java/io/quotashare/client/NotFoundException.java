package io.quotashare.client;

import org.jspecify.annotations.Nullable;

/** The queue, share, job or node does not exist. */
public final class NotFoundException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client from what the scheduler answered. */
  public NotFoundException(ErrorDetails details, @Nullable Throwable cause) {
    super(details, cause);
  }
}
