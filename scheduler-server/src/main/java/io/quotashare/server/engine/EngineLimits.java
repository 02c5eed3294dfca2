package io.quotashare.server.engine;

import static io.quotashare.core.model.Check.checkArgument;

/**
 * Bounds of the engine's queue and batches.
 *
 * @param maxQueuedCalls calls of users and operators that may wait, 1 or more
 * @param maxQueuedReports registrations and reports of agents that may wait, 1 or more
 * @param maxBatch calls and reports that one durable commit covers at most, 1 or more
 */
public record EngineLimits(int maxQueuedCalls, int maxQueuedReports, int maxBatch) {
  /** The defaults. */
  public static final EngineLimits DEFAULT = new EngineLimits(10_000, 20_000, 500);

  public EngineLimits {
    checkArgument(maxQueuedCalls >= 1, "maxQueuedCalls: %s (expected: >= 1)", maxQueuedCalls);
    checkArgument(maxQueuedReports >= 1, "maxQueuedReports: %s (expected: >= 1)", maxQueuedReports);
    checkArgument(maxBatch >= 1, "maxBatch: %s (expected: >= 1)", maxBatch);
  }
}
