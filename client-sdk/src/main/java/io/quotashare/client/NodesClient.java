package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import io.quotashare.client.internal.Blocking;
import io.quotashare.client.internal.Connection;
import io.quotashare.client.internal.QueueCalls;
import java.util.concurrent.CompletableFuture;

/** Nodes with their devices. Safe for use by several threads. */
public final class NodesClient {
  private final QueueCalls calls;

  NodesClient(Connection connection) {
    this.calls = new QueueCalls(connection.scheduler());
  }

  /**
   * Reads a node.
   *
   * @throws NotFoundException if there is none
   */
  public Node get(String node) {
    return Blocking.get(getAsync(node));
  }

  /** The form of {@link #get} that does not block. */
  public CompletableFuture<Node> getAsync(String node) {
    return calls.node(node);
  }

  /** All nodes in the order of their names. */
  public PagedIterable<Node> list() {
    return list("");
  }

  /** Nodes of a queue in the order of their names; all for an empty queue. */
  public PagedIterable<Node> list(String queue) {
    requireNonNull(queue, "queue");
    return new PagedIterable<>(token -> calls.nodes(queue, token));
  }

  /** One page of nodes; the first for an empty token. */
  public CompletableFuture<Page<Node>> listAsync(String queue, String pageToken) {
    return calls.nodes(queue, pageToken);
  }
}
