package io.quotashare.server.engine;

import io.quotashare.server.engine.EngineException.Kind;
import io.quotashare.server.store.StoreUnavailableException;

/** Says what the trouble of a store means for a caller. */
final class StoreTrouble {
  /** Time until the store is tried again. */
  static final long RETRY_MILLIS = 1000;

  private StoreTrouble() {}

  static EngineException toEngineException(StoreUnavailableException e) {
    boolean full = e.reason() == StoreUnavailableException.Reason.FULL;
    return new EngineException(
        full ? Kind.STORE_FULL : Kind.STORE_UNAVAILABLE,
        full
            ? "the scheduler's disk is full: nothing was changed; running jobs are not affected"
            : "the scheduler's store cannot be written for the moment: nothing was changed",
        RETRY_MILLIS,
        e);
  }
}
