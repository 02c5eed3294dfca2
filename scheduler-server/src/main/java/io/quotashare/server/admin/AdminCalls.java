package io.quotashare.server.admin;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.RejectedException;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Pause;
import io.quotashare.server.agents.NodeLeases;
import io.quotashare.server.engine.EngineCall;
import io.quotashare.server.engine.Step;
import io.quotashare.server.store.AuditEvent;
import java.util.Optional;

/**
 * What operators do, on its way into the scheduler. Every call that changes something leaves one
 * audit event.
 */
final class AdminCalls {
  /** Resource of what concerns the whole scheduler. */
  static final String SCHEDULER = "scheduler";

  private static final String NOT_PAUSED = "not paused";

  private final NodeLeases leases;

  AdminCalls(NodeLeases leases) {
    this.leases = requireNonNull(leases, "leases is null");
  }

  /**
   * Who asks for what.
   *
   * @param action as in the audit log
   * @param requestId from the request; may be empty
   */
  record Asked(String principal, String action, String requestId) {
    private void audit(Step step, String resource, String before, String after, String detail) {
      step.audit(new AuditEvent(principal, action, resource, requestId, before, after, detail));
    }
  }

  /** Opens, cordons or drains a node. */
  <T> EngineCall<T> order(Asked asked, String node, Node.Order order, T answer) {
    return step -> {
      Node before = require(step, node);
      step.scheduler().orderNode(node, order, step.nowMillis());
      asked.audit(step, "nodes/" + node, words(before), order.name(), "");
      return decided -> answer;
    };
  }

  /** Declares a silent node dead. */
  <T> EngineCall<T> fence(Asked asked, String node, T answer) {
    return step -> {
      Node before = require(step, node);
      if (!leases.isSilent(node, step.nowNanos())) {
        throw new RejectedException(
            RejectedException.Kind.FAILED_PRECONDITION,
            "NODE_IS_HEARD",
            "name",
            "node " + node + " is heard (expected: a silent node): stop its agent first");
      }
      leases.fence(node, step);
      asked.audit(step, "nodes/" + node, words(before), Node.Liveness.LOST.name(), "");
      return decided -> answer;
    };
  }

  /** Pauses scheduling; pausing again changes the reason. */
  <T> EngineCall<T> pause(Asked asked, String reason, T answer) {
    return step -> {
      String before = words(step.scheduler().paused());
      step.scheduler().pause(reason, step.nowMillis());
      asked.audit(step, SCHEDULER, before, words(step.scheduler().paused()), reason);
      return decided -> answer;
    };
  }

  /** Resumes scheduling; nothing if it is not paused, which is in the audit log all the same. */
  <T> EngineCall<T> resume(Asked asked, T answer) {
    return step -> {
      String before = words(step.scheduler().paused());
      step.scheduler().resume(step.nowMillis());
      asked.audit(step, SCHEDULER, before, NOT_PAUSED, "");
      return decided -> answer;
    };
  }

  private static String words(Node node) {
    return node.order() + ", " + node.liveness();
  }

  private static String words(Optional<Pause> pause) {
    return pause
        .map(p -> p.reason().isEmpty() ? "paused" : "paused: " + p.reason())
        .orElse(NOT_PAUSED);
  }

  private static Node require(Step step, String node) {
    return step.scheduler().nodes().stream()
        .filter(n -> n.name().equals(node))
        .findFirst()
        .orElseThrow(
            () ->
                new RejectedException(
                    RejectedException.Kind.NOT_FOUND,
                    "NOT_FOUND",
                    "name",
                    "nodes/" + node + " does not exist"));
  }
}
