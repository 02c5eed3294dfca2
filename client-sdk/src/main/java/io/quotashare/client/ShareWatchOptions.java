package io.quotashare.client;

import static java.util.Objects.requireNonNull;

/**
 * Which shares to watch.
 *
 * @param queue queue id, or {@link ResourceNames#ALL_QUEUES}
 * @param revision resume after this revision; 0: begin with the present state
 * @param restart where the scheduler no longer keeps the revision to resume from, begin anew with
 *     the present state instead of failing
 */
public record ShareWatchOptions(String queue, long revision, boolean restart) {
  /** Checks that the revision is not negative. */
  public ShareWatchOptions {
    requireNonNull(queue, "queue");
    if (revision < 0) {
      throw new IllegalArgumentException("revision: " + revision + ", expected 0 or more");
    }
  }

  /** The shares of a queue, beginning with their present state. */
  public static ShareWatchOptions ofQueue(String queue) {
    return new ShareWatchOptions(queue, 0, false);
  }

  /** The shares of all queues, beginning with their present state. */
  public static ShareWatchOptions all() {
    return ofQueue(ResourceNames.ALL_QUEUES);
  }

  /** Resuming after this revision. */
  public ShareWatchOptions after(long lastRevision) {
    return new ShareWatchOptions(queue, lastRevision, restart);
  }

  /** Beginning anew with the present state where the revision to resume from is no longer kept. */
  public ShareWatchOptions restarting() {
    return new ShareWatchOptions(queue, revision, true);
  }
}
