package io.quotashare.server.watch;

import static io.quotashare.core.model.Check.checkArgument;

/**
 * Revisions of watches: the revision of the batch, then the place of the event in it. The former
 * grows over restarts, so a revision never means two things.
 */
final class WatchRevisions {
  private static final int INDEX_BITS = 24;
  private static final long MAX_INDEX = (1L << INDEX_BITS) - 1;

  private WatchRevisions() {}

  /**
   * Revision after one event of a batch.
   *
   * @param index place in the batch, from 1
   */
  static long ofEvent(long batch, long index) {
    checkArgument(index >= 1 && index < MAX_INDEX, "index: %s (expected: < %s)", index, MAX_INDEX);
    return (batch << INDEX_BITS) | index;
  }

  /** Revision after all events of a batch. */
  static long endOf(long batch) {
    return (batch << INDEX_BITS) | MAX_INDEX;
  }
}
