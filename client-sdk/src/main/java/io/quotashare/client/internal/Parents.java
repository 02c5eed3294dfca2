package io.quotashare.client.internal;

import io.quotashare.client.ResourceNames;

/** Parents of lists. */
final class Parents {
  private Parents() {}

  /** {@code queues/{queue}}, or {@code queues/-} for all. */
  static String queueOrAll(String queue) {
    return queue.equals(ResourceNames.ALL_QUEUES) ? "queues/-" : ResourceNames.queue(queue);
  }
}
