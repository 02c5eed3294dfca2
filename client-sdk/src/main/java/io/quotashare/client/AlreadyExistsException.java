package io.quotashare.client;

import org.jspecify.annotations.Nullable;

/** The id is taken: a job of that id exists already. */
public final class AlreadyExistsException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client from what the scheduler answered. */
  public AlreadyExistsException(ErrorDetails details, @Nullable Throwable cause) {
    super(details, cause);
  }
}
