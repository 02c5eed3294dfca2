package io.quotashare.server.store;

import org.jspecify.annotations.Nullable;

/**
 * The store must not be used any more and the process must stop: after a failed flush, say, nobody
 * knows what the device holds, and going on could lose what was acknowledged (reliability D2).
 */
public final class StoreFailedException extends StoreException {
  private static final long serialVersionUID = 1L;

  StoreFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
