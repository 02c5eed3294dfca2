package io.quotashare.core.state;

import io.quotashare.core.model.Node;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.Queue;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which queue a node belongs to: queues never share a node (quota-semantics 1). */
final class Territory {
  private final State state;
  private final Map<String, String> queueOfNode = new HashMap<>();

  Territory(State state) {
    this.state = state;
  }

  /** Queue that a node belongs to; empty if none selects it. */
  Optional<String> queueOf(String node) {
    return Optional.ofNullable(queueOfNode.get(node));
  }

  /**
   * Puts a node into the pools of its queue. A node with attempts stays in the queue that they
   * belong to.
   */
  void place(Node node) {
    String before = queueOfNode.get(node.name());
    String after =
        before != null && holdsAnything(before, node.name()) ? before : chosenQueue(node);
    if (before != null && !before.equals(after)) {
      for (Pool pool : state.poolsOf(before)) {
        state.touch(pool);
        pool.removeNode(node.name());
      }
    }
    if (after == null) {
      queueOfNode.remove(node.name());
      return;
    }
    queueOfNode.put(node.name(), after);
    node.devices().forEach(device -> state.pool(new PoolKey(after, device.unit())));
    for (Pool pool : state.poolsOf(after)) {
      state.touch(pool);
      pool.putNode(node);
    }
  }

  private boolean holdsAnything(String queue, String node) {
    for (Pool pool : state.poolsOf(queue)) {
      NodeSlots slots = pool.nodes().get(node);
      if (slots != null && slots.held() > 0) {
        return true;
      }
    }
    return false;
  }

  private @Nullable String chosenQueue(Node node) {
    String rest = null;
    for (Queue queue : state.queues().values()) {
      if (queue.selects(node.labels())) {
        return queue.name();
      }
      if (queue.nodeSelector().isEmpty() && rest == null) {
        rest = queue.name();
      }
    }
    return rest;
  }

  /**
   * A node whose attempts kept it in a queue that no longer selects it may go once they are gone.
   */
  void settle(Pool pool, String node) {
    Node row = state.nodes().get(node);
    String chosen = row == null ? null : chosenQueue(row);
    if (!pool.key().queue().equals(chosen) && !holdsAnything(pool.key().queue(), node)) {
      if (row == null) {
        pool.removeNode(node);
      } else {
        place(row);
      }
    }
  }
}
