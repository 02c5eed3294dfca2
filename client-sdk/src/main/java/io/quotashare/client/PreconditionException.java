package io.quotashare.client;

import org.jspecify.annotations.Nullable;

/** The thing asked for is not possible as things are, such as a submission to a disabled share. */
public final class PreconditionException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client from what the scheduler answered. */
  public PreconditionException(ErrorDetails details, @Nullable Throwable cause) {
    super(details, cause);
  }
}
