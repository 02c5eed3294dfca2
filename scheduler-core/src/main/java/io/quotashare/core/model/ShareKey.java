package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

/**
 * Identity of a quota share.
 *
 * @param queue queue id
 * @param share share id, unique in its queue
 */
public record ShareKey(String queue, String share) implements Comparable<ShareKey> {
  public ShareKey {
    requireNonNull(queue, "queue is null");
    requireNonNull(share, "share is null");
  }

  @Override
  public int compareTo(ShareKey other) {
    int byQueue = queue.compareTo(other.queue);
    return byQueue != 0 ? byQueue : share.compareTo(other.share);
  }

  @Override
  public String toString() {
    return "queues/" + queue + "/shares/" + share;
  }
}
