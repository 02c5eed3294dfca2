package io.quotashare.core.replay;

import io.quotashare.core.Policy;
import io.quotashare.core.RejectedException;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Shape;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The pools of a scenario before anything has happened: how the scheduler would read what a
 * submission leaves open.
 */
public final class VirtualPools {
  private final Scheduler scheduler = new Scheduler();

  /**
   * Applies the policy and registers the nodes.
   *
   * @throws RejectedException if the scheduler refuses the policy or a node
   */
  public VirtualPools(Policy policy, List<VirtualNode> nodes) {
    scheduler.applyPolicy(policy, false, Replay.EPOCH_MILLIS);
    for (VirtualNode node : nodes) {
      scheduler.registerNode(node.report(1), Set.of(), Replay.EPOCH_MILLIS);
    }
  }

  /** Queue that a node belongs to; empty if none selects it. */
  public Optional<String> queueOf(String node) {
    return scheduler.queueOf(node);
  }

  /**
   * The unit itself, or the only unit of the queue if it is empty.
   *
   * @throws RejectedException if it is empty and the queue has not exactly one unit
   */
  public String resolveUnit(String queue, String unit) {
    return scheduler.resolveUnit(queue, unit);
  }

  /**
   * The shape that a number of devices stands for.
   *
   * @throws RejectedException if it is no whole number of nodes
   */
  public Shape resolveShape(String queue, String unit, int gpus) {
    return scheduler.resolveShape(queue, unit, gpus);
  }
}
