package io.quotashare.server.engine;

import static java.util.Objects.requireNonNull;

import io.quotashare.server.store.CommitPoint;
import io.quotashare.server.store.StateStore;

/**
 * The right to write.
 *
 * @param epoch fences every earlier leader
 * @param found how far the state was durable when the epoch was taken
 */
public record Leadership(long epoch, CommitPoint found) {
  public Leadership {
    requireNonNull(found, "found is null");
  }

  /** Takes the store over: no earlier leader can write from now on. */
  public static Leadership take(StateStore store) {
    long epoch = store.takeEpoch();
    return new Leadership(epoch, store.lastCommit());
  }
}
