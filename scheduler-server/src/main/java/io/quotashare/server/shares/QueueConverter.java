package io.quotashare.server.shares;

import io.quotashare.core.model.IdleAssignment;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.Queue.StateTimeLimit;
import io.quotashare.core.model.Unassigned;
import io.quotashare.core.model.WaitingReason;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.UnassignedCapacity;
import io.quotashare.server.grpc.Enums;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Requests;
import io.quotashare.server.grpc.Times;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Queues of the core to and from the words of the contract. */
public final class QueueConverter {
  private static final Map<IdleAssignment, io.quotashare.proto.v1.IdleAssignment> ASSIGNMENTS =
      Enums.toProto(
          IdleAssignment.class, io.quotashare.proto.v1.IdleAssignment.class, "IDLE_ASSIGNMENT_");
  private static final Map<Unassigned, UnassignedCapacity> UNASSIGNED =
      Enums.toProto(Unassigned.class, UnassignedCapacity.class, "UNASSIGNED_CAPACITY_");

  private static final Map<PreemptionMode, io.quotashare.proto.v1.PreemptionMode> MODES =
      Enums.toProto(
          PreemptionMode.class, io.quotashare.proto.v1.PreemptionMode.class, "PREEMPTION_MODE_");

  private QueueConverter() {}

  /** A queue as configured. */
  public static Queue queue(io.quotashare.core.model.Queue queue) {
    Queue.Builder result =
        Queue.newBuilder()
            .setName("queues/" + queue.name())
            .setState(ShareConverter.state(queue.state()))
            .putAllNodeSelector(queue.nodeSelector())
            .setIdleAssignment(Enums.of(ASSIGNMENTS, queue.idleAssignment()))
            .setUnassigned(Enums.of(UNASSIGNED, queue.unassigned()))
            .setPreemptionMode(Enums.of(MODES, queue.preemptionMode()))
            .setMaxGrace(Times.duration(queue.maxGraceMillis()))
            .setLostWorkCap(Times.duration(queue.lostWorkCapMillis()))
            .setRestartCost(Times.duration(queue.restartCostMillis()));
    for (StateTimeLimit limit : queue.stateTimeLimits()) {
      result.addStateTimeLimits(
          io.quotashare.proto.v1.StateTimeLimit.newBuilder()
              .setReason(limit.reason().name())
              .setMax(Times.duration(limit.maxMillis())));
    }
    return result.setEtag(Requests.etag(result.build())).build();
  }

  /** A queue that {@link QueueRules} found good. */
  static io.quotashare.core.model.Queue queue(Queue queue, String id) {
    List<StateTimeLimit> limits =
        queue.getStateTimeLimitsList().stream()
            .map(
                limit ->
                    new StateTimeLimit(
                        WaitingReason.valueOf(limit.getReason()), millis(limit.getMax(), 1)))
            .toList();
    return new io.quotashare.core.model.Queue(
        id,
        ShareConverter.state(queue.getState()),
        new TreeMap<>(queue.getNodeSelectorMap()),
        queue.getIdleAssignment() == io.quotashare.proto.v1.IdleAssignment.IDLE_ASSIGNMENT_FAIR
            ? IdleAssignment.FAIR
            : IdleAssignment.FIFO,
        queue.getUnassigned() == UnassignedCapacity.UNASSIGNED_CAPACITY_IDLE
            ? Unassigned.IDLE
            : Unassigned.BORROWABLE,
        queue.hasMaxGrace()
            ? millis(queue.getMaxGrace(), 0)
            : io.quotashare.core.model.Queue.DEFAULT_MAX_GRACE_MILLIS,
        queue.hasLostWorkCap()
            ? millis(queue.getLostWorkCap(), 0)
            : io.quotashare.core.model.Queue.DEFAULT_LOST_WORK_CAP_MILLIS,
        queue.hasRestartCost()
            ? millis(queue.getRestartCost(), 0)
            : io.quotashare.core.model.Queue.DEFAULT_RESTART_COST_MILLIS,
        limits,
        queue.getPreemptionMode()
                == io.quotashare.proto.v1.PreemptionMode.PREEMPTION_MODE_OBSERVE_ONLY
            ? PreemptionMode.OBSERVE_ONLY
            : PreemptionMode.ENFORCE);
  }

  private static long millis(com.google.protobuf.Duration duration, long min) {
    return Times.millis(new FieldChecks(), "", duration, min, QueueRules.MAX_SPAN_MILLIS);
  }
}
