package io.quotashare.server.shares;

import io.quotashare.core.model.WaitingReason;
import io.quotashare.proto.v1.AdminState;
import io.quotashare.proto.v1.IdleAssignment;
import io.quotashare.proto.v1.PreemptionMode;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.StateTimeLimit;
import io.quotashare.proto.v1.UnassignedCapacity;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Times;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** What a queue of a policy may look like. */
final class QueueRules {
  /** Ten years. */
  static final long MAX_SPAN_MILLIS = 3650L * 24 * 3_600_000;

  private static final long MAX_GRACE_MILLIS = 24 * 3_600_000L;
  private static final int MAX_SELECTORS = 64;
  private static final int MAX_LABEL_LENGTH = 1024;

  private static final Set<String> REASONS =
      Arrays.stream(WaitingReason.values()).map(Enum::name).collect(Collectors.toSet());

  private QueueRules() {}

  static void check(Queue queue, FieldChecks checks) {
    checks.check(
        queue.getState() != AdminState.UNRECOGNIZED,
        "state",
        queue.getStateValue(),
        "ENABLED or DISABLED");
    checks.check(
        queue.getUnassigned() != UnassignedCapacity.UNRECOGNIZED,
        "unassigned",
        queue.getUnassignedValue(),
        "BORROWABLE or IDLE");
    checks.check(
        queue.getIdleAssignment() != IdleAssignment.UNRECOGNIZED,
        "idle_assignment",
        queue.getIdleAssignmentValue(),
        "FIFO or FAIR");
    checks.check(
        queue.getPreemptionMode() != PreemptionMode.UNRECOGNIZED,
        "preemption_mode",
        queue.getPreemptionModeValue(),
        "ENFORCE or OBSERVE_ONLY");
    selector(queue, checks);
    if (queue.hasMaxGrace()) {
      Times.millis(checks, "max_grace", queue.getMaxGrace(), 0, MAX_GRACE_MILLIS);
    }
    if (queue.hasLostWorkCap()) {
      Times.millis(checks, "lost_work_cap", queue.getLostWorkCap(), 0, MAX_SPAN_MILLIS);
    }
    if (queue.hasRestartCost()) {
      Times.millis(checks, "restart_cost", queue.getRestartCost(), 0, MAX_SPAN_MILLIS);
    }
    limits(queue, checks);
  }

  private static void selector(Queue queue, FieldChecks checks) {
    checks.check(
        queue.getNodeSelectorCount() <= MAX_SELECTORS,
        "node_selector",
        queue.getNodeSelectorCount() + " entries",
        "at most " + MAX_SELECTORS);
    queue
        .getNodeSelectorMap()
        .forEach(
            (key, value) ->
                checks.check(
                    !key.isEmpty()
                        && key.length() <= MAX_LABEL_LENGTH
                        && value.length() <= MAX_LABEL_LENGTH
                        && (key + value).codePoints().noneMatch(Character::isISOControl),
                    "node_selector[" + FieldChecks.shown(key) + "]",
                    value,
                    "a label of a node, one line of at most " + MAX_LABEL_LENGTH + " characters"));
  }

  private static void limits(Queue queue, FieldChecks checks) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < queue.getStateTimeLimitsCount(); i++) {
      StateTimeLimit limit = queue.getStateTimeLimits(i);
      FieldChecks here = checks.in("state_time_limits[" + i + "]");
      here.check(
          REASONS.contains(limit.getReason()),
          "reason",
          limit.getReason(),
          "a waiting reason, such as QUEUE_CAPACITY_EXCEEDED");
      here.check(seen.add(limit.getReason()), "reason", limit.getReason(), "every reason once");
      if (limit.hasMax()) {
        Times.millis(here, "max", limit.getMax(), 1, MAX_SPAN_MILLIS);
      } else {
        here.reject("max", "unset (expected: the longest wait)");
      }
    }
  }
}
