package io.quotashare.server.store;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** What a store could not do. The subtype says what that means for the caller. */
public abstract sealed class StoreException extends RuntimeException
    permits DamagedStateException,
        FencedException,
        OutcomeUnknownException,
        StoreFailedException,
        StoreUnavailableException {
  private static final long serialVersionUID = 1L;

  StoreException(String message, @Nullable Throwable cause) {
    super(requireNonNull(message, "message is null"), cause);
  }
}
