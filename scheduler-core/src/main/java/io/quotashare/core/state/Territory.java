package io.quotashare.core.state;

import io.quotashare.core.model.Device;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.Queue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which queue a node belongs to: queues never share a node (quota-semantics 1). */
final class Territory {
  private final State state;
  private final Map<String, String> queueOfNode = new HashMap<>();
  private Map<String, String> settled = Map.of();

  Territory(State state) {
    this.state = state;
  }

  /** Queue that a node belongs to; empty if none selects it. */
  Optional<String> queueOf(String node) {
    return Optional.ofNullable(queueOfNode.get(node));
  }

  /**
   * Queues of nodes whose attempts are still to be put back after a restart, and which therefore
   * stay where they were whatever selects them now.
   */
  void settled(Map<String, String> queueByNode) {
    settled = Map.copyOf(queueByNode);
  }

  /**
   * Puts a node into the pools of its queue. A node with attempts stays in the queue that they
   * belong to.
   */
  void place(Node node) {
    String before = queueOfNode.get(node.name());
    String after = queueAfter(node, before);
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
    Node visible = withoutHeldElsewhere(node, after);
    if (!after.equals(chosenQueue(node))) {
      // It leaves as soon as its attempts have ended, so nothing new may count on it.
      visible = visible.withOrder(Node.Order.CORDONED);
    }
    for (Pool pool : state.poolsOf(after)) {
      state.touch(pool);
      pool.putNode(visible);
    }
  }

  private @Nullable String queueAfter(Node node, @Nullable String before) {
    if (settled.containsKey(node.name())) {
      return settled.get(node.name());
    }
    return before != null && holdsAnything(before, node.name()) ? before : chosenQueue(node);
  }

  /**
   * A device whose unit changed while an attempt holds it counts as its old unit until it is freed.
   */
  private Node withoutHeldElsewhere(Node node, String queue) {
    List<Device> devices = new ArrayList<>(node.devices());
    for (Pool pool : state.poolsOf(queue)) {
      NodeSlots slots = pool.nodes().get(node.name());
      if (slots != null && slots.held() > 0) {
        devices.removeIf(
            device ->
                !device.unit().equals(pool.key().unit())
                    && slots.holder(device.uuid()).isPresent());
      }
    }
    return devices.size() == node.devices().size() ? node : node.withDevices(devices);
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
      if (queue.state().isLeaving()) {
        continue;
      }
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
   * Devices of a node were freed: a node whose attempts kept it in a queue that no longer selects
   * it may go, and devices that are reported no longer, or as another unit, are what they are
   * reported as.
   *
   * @param vanished whether any of them was reported no longer as devices of the pool
   */
  void settle(Pool pool, String name, boolean vanished) {
    Node node = state.nodes().get(name);
    String queue = pool.key().queue();
    boolean leaves = !queue.equals(chosenQueue(node)) && !holdsAnything(queue, name);
    if (leaves || vanished) {
      place(node);
      state.lines().refileAll(queue);
      queueOf(name).filter(after -> !after.equals(queue)).ifPresent(state.lines()::refileAll);
    }
  }
}
