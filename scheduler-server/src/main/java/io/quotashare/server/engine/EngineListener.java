package io.quotashare.server.engine;

import io.quotashare.core.Scheduler;
import java.util.OptionalLong;

/** A part of the server that lives in the steps of the engine. All methods run on its thread. */
public interface EngineListener {
  /** The state was read from the store, before the first step. */
  default void started(Restored restored) {}

  /**
   * A step begins. The state is what is durable, so it may be told; what time demands may be put
   * in, like a call.
   */
  default void begin(Step step) {}

  /** A batch is durable. */
  default void committed(Commit commit) {}

  /** A commit failed: this is the durable state again, in a new object. */
  default void rebuilt(Scheduler scheduler) {}

  /**
   * When {@link #begin} is next due although nothing happens, by the monotonic clock; empty if
   * never.
   */
  default OptionalLong nextNanos() {
    return OptionalLong.empty();
  }
}
