package io.quotashare.integration.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * Lets a daemon halt at one failpoint after the other: as soon as it has halted it is started
 * again, with the next one, and at last with none.
 */
public final class Reviver implements AutoCloseable {
  /** Exit status of a process that came to its failpoint. */
  private static final int HALTED = 137;

  private final Daemon daemon;
  private final Deque<String> rest;
  private final List<String> halted = Collections.synchronizedList(new ArrayList<>());
  private volatile String failure = "";
  private volatile boolean closed;

  /**
   * A reviver that does nothing yet.
   *
   * @param failpoints each with the number of times after a colon
   */
  public Reviver(Daemon daemon, List<String> failpoints) {
    this.daemon = daemon;
    this.rest = new ArrayDeque<>(failpoints);
  }

  /** Kills the daemon, and starts it with the first failpoint. */
  public void begin() {
    daemon.kill();
    next();
  }

  private synchronized void next() {
    if (closed) {
      return;
    }
    String failpoint = rest.isEmpty() ? "" : rest.removeFirst();
    daemon.start(failpoint);
    if (!failpoint.isEmpty()) {
      var unused = daemon.exit().thenAccept(status -> ended(failpoint, status));
    }
  }

  private void ended(String failpoint, int status) {
    if (status == HALTED) {
      halted.add(failpoint);
      next();
    } else if (!closed) {
      failure = daemon.name() + " ended with " + status + " before it came to " + failpoint;
    }
  }

  /** Failpoints at which it has halted so far. */
  public List<String> halted() {
    if (!failure.isEmpty()) {
      throw new AssertionError(failure + ":\n" + daemon.output());
    }
    return List.copyOf(halted);
  }

  /** Lets the daemon be. */
  @Override
  public synchronized void close() {
    closed = true;
  }
}
