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
   * Revision after one event of a batch. Who has the last one has all of the batch, which the next
   * leader can tell, too.
   *
   * @param index place in the batch, from 0
   * @param count events of the batch
   */
  static long ofEvent(long batch, int index, int count) {
    checkArgument(count < MAX_INDEX, "count: %s (expected: < %s)", count, MAX_INDEX);
    return index == count - 1 ? endOf(batch) : (batch << INDEX_BITS) | (index + 1);
  }

  /** Revision after all events of a batch. */
  static long endOf(long batch) {
    return (batch << INDEX_BITS) | MAX_INDEX;
  }
}
