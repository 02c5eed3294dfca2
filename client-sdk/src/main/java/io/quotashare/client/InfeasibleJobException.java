package io.quotashare.client;

import org.jspecify.annotations.Nullable;

/**
 * No state of the queue could ever run the job; {@link #reason()} and {@link #metadata()} say which
 * limit it exceeds. Submit it smaller, or with {@code allowInfeasible}.
 */
public final class InfeasibleJobException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client from what the scheduler answered. */
  public InfeasibleJobException(ErrorDetails details, @Nullable Throwable cause) {
    super(details, cause);
  }
}
