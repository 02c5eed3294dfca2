package io.quotashare.server.engine;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits for the engine, in two bounded lanes, so that a flood of submissions keeps no agent's
 * report out, nor the other way round. Calls that were offered together are taken together.
 */
public final class EngineQueue {
  /** Where a call waits. */
  enum Lane {
    /** Calls of users and operators. */
    CALLS,
    /** Registrations and reports of agents. */
    REPORTS
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Line calls;
  private final Line reports;
  private final int maxBatch;
  private boolean closed;
  private boolean woken;

  public EngineQueue(EngineLimits limits) {
    requireNonNull(limits, "limits is null");
    this.calls = new Line(limits.maxQueuedCalls());
    this.reports = new Line(limits.maxQueuedReports());
    this.maxBatch = limits.maxBatch();
  }

  /** Outcome of an offer. */
  enum Offer {
    TAKEN,
    FULL,
    CLOSED
  }

  /**
   * One lane, with calls in groups.
   *
   * <p>A group that is larger than a bound is taken where nothing else is in the way.
   */
  private static final class Line {
    private final ArrayDeque<List<PendingCall<?>>> groups = new ArrayDeque<>();
    private final int max;
    private int size;

    Line(int max) {
      this.max = max;
    }

    boolean offer(List<PendingCall<?>> group) {
      if (size > 0 && size + group.size() > max) {
        return false;
      }
      groups.add(group);
      size += group.size();
      return true;
    }

    int moveTo(List<PendingCall<?>> batch, int wanted) {
      int moved = 0;
      while (!groups.isEmpty()
          && moved < wanted
          && (moved == 0 || moved + groups.element().size() <= wanted)) {
        List<PendingCall<?>> group = groups.remove();
        batch.addAll(group);
        moved += group.size();
      }
      size -= moved;
      return moved;
    }
  }

  /** Puts calls in that are to be made durable together, or none of them. */
  Offer offer(List<PendingCall<?>> group, Lane lane) {
    lock.lock();
    try {
      if (closed) {
        return Offer.CLOSED;
      }
      if (!(lane == Lane.CALLS ? calls : reports).offer(group)) {
        return Offer.FULL;
      }
      work.signal();
      return Offer.TAKEN;
    } finally {
      lock.unlock();
    }
  }

  /** Takes the next batch; half of it is kept for each lane as long as both have something. */
  List<PendingCall<?>> drain() {
    lock.lock();
    try {
      woken = false;
      List<PendingCall<?>> batch = new ArrayList<>();
      int fromReports = reports.moveTo(batch, Math.max(maxBatch - calls.size, (maxBatch + 1) / 2));
      calls.moveTo(batch, maxBatch - fromReports);
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there is something to do, at most this long. */
  void await(long maxNanos) throws InterruptedException {
    lock.lock();
    try {
      long left = maxNanos;
      while (calls.size + reports.size == 0 && !woken && !closed && left > 0) {
        left = work.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the wait of {@link #await} although nothing was put in. */
  public void wake() {
    lock.lock();
    try {
      woken = true;
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Takes nothing more; what waits stays. */
  void close() {
    lock.lock();
    try {
      closed = true;
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return calls.size + reports.size;
    } finally {
      lock.unlock();
    }
  }

  /** Time that {@link #await} waits where nothing is due. */
  static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
}
