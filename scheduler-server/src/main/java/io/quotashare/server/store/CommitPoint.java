package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;

/**
 * How far the state is durable.
 *
 * @param epoch newest epoch; 0 before the first leader
 * @param revision revision of the newest batch; 0 before the first
 * @param atMillis {@link CommitBatch#atMillis} of that batch; 0 before the first
 */
public record CommitPoint(long epoch, long revision, long atMillis) {
  /** An empty store. */
  public static final CommitPoint NONE = new CommitPoint(0, 0, 0);

  public CommitPoint {
    checkArgument(epoch >= 0, "epoch: %s (expected: >= 0)", epoch);
    checkArgument(revision >= 0, "revision: %s (expected: >= 0)", revision);
  }
}
