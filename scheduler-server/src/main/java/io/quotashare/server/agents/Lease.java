package io.quotashare.server.agents;

import java.util.concurrent.atomic.AtomicLong;

/**
 * When the agent of a node was last heard. Written by the threads that serve agents, read by the
 * engine's; that the node is lost is decided against the very instant that was read, so a heartbeat
 * that comes in between is refused, not half-believed.
 */
final class Lease {
  /** No reading of a monotonic clock that is ever compared with. */
  private static final long EXPIRED = Long.MIN_VALUE;

  private final AtomicLong heardNanos;

  /** Whether the scheduler was told that the node is silent. Written by the engine's thread. */
  private volatile boolean silent;

  Lease(long heardNanos) {
    this.heardNanos = new AtomicLong(heardNanos);
  }

  /** The agent was heard; false if the lease is over. */
  boolean heard(long nowNanos) {
    return heardNanos.accumulateAndGet(
            nowNanos, (old, now) -> old == EXPIRED || old - now > 0 ? old : now)
        != EXPIRED;
  }

  long heardNanos() {
    return heardNanos.get();
  }

  /** Ends the lease, unless the agent was heard after {@code seenNanos}. */
  boolean expire(long seenNanos) {
    return heardNanos.compareAndSet(seenNanos, EXPIRED);
  }

  /** Ends the lease, come what may. */
  void end() {
    heardNanos.set(EXPIRED);
  }

  boolean isSilent() {
    return silent;
  }

  void silent(boolean value) {
    silent = value;
  }
}
