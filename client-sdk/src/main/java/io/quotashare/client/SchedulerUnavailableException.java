package io.quotashare.client;

import org.jspecify.annotations.Nullable;

/** No scheduler answers, or it is not able to serve now. */
public final class SchedulerUnavailableException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client from what the scheduler answered. */
  public SchedulerUnavailableException(ErrorDetails details, @Nullable Throwable cause) {
    super(details, cause);
  }
}
