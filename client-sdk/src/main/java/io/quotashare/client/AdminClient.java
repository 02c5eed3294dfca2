package io.quotashare.client;

import io.quotashare.client.internal.AdminCalls;
import io.quotashare.client.internal.Blocking;
import io.quotashare.client.internal.Rpc;
import java.util.concurrent.CompletableFuture;

/** What an operator does to nodes and to the scheduler. Safe for use by several threads. */
public final class AdminClient {
  private final AdminCalls calls;

  AdminClient(Rpc admin) {
    this.calls = new AdminCalls(admin);
  }

  /** Places nothing new on a node; what runs goes on. */
  public void cordon(String node) {
    Blocking.get(cordonAsync(node));
  }

  /** The form of {@link #cordon} that does not block. */
  public CompletableFuture<Void> cordonAsync(String node) {
    return calls.cordon(node);
  }

  /** Ends cordoning or draining. */
  public void uncordon(String node) {
    Blocking.get(uncordonAsync(node));
  }

  /** The form of {@link #uncordon} that does not block. */
  public CompletableFuture<Void> uncordonAsync(String node) {
    return calls.uncordon(node);
  }

  /** Moves the attempts of a node elsewhere, checkpoint first. */
  public void drain(String node) {
    Blocking.get(drainAsync(node));
  }

  /** The form of {@link #drain} that does not block. */
  public CompletableFuture<Void> drainAsync(String node) {
    return calls.drain(node);
  }

  /**
   * Declares that nothing runs on a silent node any more, so that its attempts may be started
   * elsewhere at once. Refused while the node's agent is heard.
   */
  public void fence(String node) {
    Blocking.get(fenceAsync(node));
  }

  /** The form of {@link #fence} that does not block. */
  public CompletableFuture<Void> fenceAsync(String node) {
    return calls.fence(node);
  }

  /** Who leads, since when, and how much there is. */
  public SchedulerStatus status() {
    return Blocking.get(statusAsync());
  }

  /** The form of {@link #status} that does not block. */
  public CompletableFuture<SchedulerStatus> statusAsync() {
    return calls.status();
  }
}
