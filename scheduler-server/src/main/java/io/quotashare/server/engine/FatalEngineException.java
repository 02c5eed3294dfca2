package io.quotashare.server.engine;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** The process must stop: another scheduler leads, or the store or the state cannot be trusted. */
public final class FatalEngineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public FatalEngineException(String message, @Nullable Throwable cause) {
    super(requireNonNull(message, "message is null"), cause);
  }
}
