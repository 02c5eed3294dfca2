package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A queue of a policy with its shares.
 *
 * @param queue the queue
 * @param shares its shares, in the order of the policy
 */
public record PolicyQueue(Queue queue, List<QuotaShare> shares) {
  /** Checks that every share names this queue. */
  public PolicyQueue {
    requireNonNull(queue, "queue");
    shares = List.copyOf(shares);
    for (QuotaShare share : shares) {
      if (!share.queue().equals(queue.id())) {
        throw new IllegalArgumentException(
            "shares: " + share.name() + " is not a share of " + queue.name());
      }
    }
  }
}
