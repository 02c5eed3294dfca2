package io.quotashare.server.store;

import org.jspecify.annotations.Nullable;

/**
 * A batch that may or may not be durable. Nothing may be answered before {@link
 * StateStore#lastCommit} has told which (reliability D7).
 */
public final class OutcomeUnknownException extends StoreException {
  private static final long serialVersionUID = 1L;

  OutcomeUnknownException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
