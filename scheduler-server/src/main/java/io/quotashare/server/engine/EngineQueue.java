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
 * report out, nor the other way round.
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
  private final ArrayDeque<PendingCall<?>> calls = new ArrayDeque<>();
  private final ArrayDeque<PendingCall<?>> reports = new ArrayDeque<>();
  private final EngineLimits limits;
  private boolean closed;
  private boolean woken;

  public EngineQueue(EngineLimits limits) {
    this.limits = requireNonNull(limits, "limits is null");
  }

  /** Outcome of an offer. */
  enum Offer {
    TAKEN,
    FULL,
    CLOSED
  }

  Offer offer(PendingCall<?> call, Lane lane) {
    lock.lock();
    try {
      if (closed) {
        return Offer.CLOSED;
      }
      ArrayDeque<PendingCall<?>> into = lane == Lane.CALLS ? calls : reports;
      int max = lane == Lane.CALLS ? limits.maxQueuedCalls() : limits.maxQueuedReports();
      if (into.size() >= max) {
        return Offer.FULL;
      }
      into.add(call);
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
      int max = limits.maxBatch();
      int fromReports = Math.min(reports.size(), Math.max(max - calls.size(), (max + 1) / 2));
      int fromCalls = Math.min(calls.size(), max - fromReports);
      List<PendingCall<?>> batch = new ArrayList<>(fromReports + fromCalls);
      for (int i = 0; i < fromReports; i++) {
        batch.add(reports.remove());
      }
      for (int i = 0; i < fromCalls; i++) {
        batch.add(calls.remove());
      }
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
      while (calls.isEmpty() && reports.isEmpty() && !woken && !closed && left > 0) {
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
      return calls.size() + reports.size();
    } finally {
      lock.unlock();
    }
  }

  /** Time that {@link #await} waits where nothing is due. */
  static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
}
