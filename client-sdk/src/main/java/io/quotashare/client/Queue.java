package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A queue as configured: it owns a pool of nodes and holds the shares.
 *
 * @param id name of the queue inside the scheduler
 * @param state whether it takes jobs
 * @param nodeSelector labels that a node must carry to belong to it; empty: every node that no
 *     other queue selects
 * @param idleAssignment who gets idle capacity first
 * @param unassigned what happens to devices that no share owns
 * @param maxGrace upper bound of any job's grace
 * @param lostWorkCap upper bound of the lost work that a victim is priced with
 * @param restartCost start-up time that a victim is priced with until it is measured
 * @param stateTimeLimits limits on waiting
 * @param preemptionMode whether it stops attempts for others
 * @param etag changes with every change; not used when a policy is applied
 */
public record Queue(
    String id,
    AdminState state,
    Map<String, String> nodeSelector,
    IdleAssignment idleAssignment,
    UnassignedCapacity unassigned,
    Duration maxGrace,
    Duration lostWorkCap,
    Duration restartCost,
    List<StateTimeLimit> stateTimeLimits,
    PreemptionMode preemptionMode,
    String etag) {
  /** Default of {@link #maxGrace}: 2 min. */
  public static final Duration DEFAULT_MAX_GRACE = Duration.ofMinutes(2);

  /** Default of {@link #lostWorkCap}: 4 h. */
  public static final Duration DEFAULT_LOST_WORK_CAP = Duration.ofHours(4);

  /** Default of {@link #restartCost}: 3 min. */
  public static final Duration DEFAULT_RESTART_COST = Duration.ofMinutes(3);

  /** Checks that nothing is null and copies the collections. */
  public Queue {
    requireNonNull(id, "id");
    requireNonNull(state, "state");
    nodeSelector = Collect.copy(nodeSelector);
    requireNonNull(idleAssignment, "idleAssignment");
    requireNonNull(unassigned, "unassigned");
    requireNonNull(maxGrace, "maxGrace");
    requireNonNull(lostWorkCap, "lostWorkCap");
    requireNonNull(restartCost, "restartCost");
    stateTimeLimits = List.copyOf(stateTimeLimits);
    requireNonNull(preemptionMode, "preemptionMode");
    requireNonNull(etag, "etag");
  }

  /** An enabled queue with every default: FIFO, unassigned devices borrowable, all nodes. */
  public static Queue of(String id) {
    return new Queue(
        id,
        AdminState.ENABLED,
        Map.of(),
        IdleAssignment.FIFO,
        UnassignedCapacity.BORROWABLE,
        DEFAULT_MAX_GRACE,
        DEFAULT_LOST_WORK_CAP,
        DEFAULT_RESTART_COST,
        List.of(),
        PreemptionMode.ENFORCE,
        "");
  }

  /** Resource name, {@code queues/{queue}}. */
  public String name() {
    return ResourceNames.queue(id);
  }
}
