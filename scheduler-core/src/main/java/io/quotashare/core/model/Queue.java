package io.quotashare.core.model;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A queue as configured (quota-semantics 1): a pool of nodes, and how its idle devices are given
 * away.
 *
 * @param name id
 * @param state whether it takes jobs
 * @param nodeSelector labels that a node must carry; empty for every node that no other queue
 *     selects
 * @param idleAssignment which borrower goes first
 * @param unassigned use of devices that no share owns
 * @param maxGraceMillis upper bound of any job's grace
 * @param lostWorkCapMillis upper bound of the lost work that a victim is priced with, per device
 * @param restartCostMillis start-up time that a victim is priced with until it is measured
 * @param stateTimeLimits longest waits by reason
 * @param preemptionMode whether it stops whom the rules say, or only observes
 */
public record Queue(
    String name,
    AdminState state,
    SortedMap<String, String> nodeSelector,
    IdleAssignment idleAssignment,
    Unassigned unassigned,
    long maxGraceMillis,
    long lostWorkCapMillis,
    long restartCostMillis,
    List<StateTimeLimit> stateTimeLimits,
    PreemptionMode preemptionMode) {
  /** Default of {@code maxGraceMillis}. */
  public static final long DEFAULT_MAX_GRACE_MILLIS = 120_000;

  /** Default of {@code lostWorkCapMillis}. */
  public static final long DEFAULT_LOST_WORK_CAP_MILLIS = 4 * 3_600_000L;

  /** Default of {@code restartCostMillis}. */
  public static final long DEFAULT_RESTART_COST_MILLIS = 180_000;

  /**
   * A limit on the time that a front job may wait for one reason (quota-semantics 7).
   *
   * @param reason the reason
   * @param maxMillis longest wait, 1 or more
   */
  public record StateTimeLimit(WaitingReason reason, long maxMillis) {
    public StateTimeLimit {
      requireNonNull(reason, "reason is null");
      checkArgument(maxMillis >= 1, "maxMillis: %s (expected: >= 1)", maxMillis);
    }
  }

  public Queue {
    requireNonNull(name, "name is null");
    requireNonNull(state, "state is null");
    nodeSelector = new TreeMap<>(nodeSelector);
    requireNonNull(idleAssignment, "idleAssignment is null");
    requireNonNull(unassigned, "unassigned is null");
    checkArgument(maxGraceMillis >= 0, "maxGraceMillis: %s (expected: >= 0)", maxGraceMillis);
    checkArgument(
        lostWorkCapMillis >= 0, "lostWorkCapMillis: %s (expected: >= 0)", lostWorkCapMillis);
    checkArgument(
        restartCostMillis >= 0, "restartCostMillis: %s (expected: >= 0)", restartCostMillis);
    stateTimeLimits = List.copyOf(stateTimeLimits);
    requireNonNull(preemptionMode, "preemptionMode is null");
  }

  /** The same queue, that stops whom the rules say or only observes. */
  public Queue with(PreemptionMode mode) {
    return new Queue(
        name,
        state,
        nodeSelector,
        idleAssignment,
        unassigned,
        maxGraceMillis,
        lostWorkCapMillis,
        restartCostMillis,
        stateTimeLimits,
        mode);
  }

  /** Whether it stops nobody by decision. */
  public boolean observesOnly() {
    return preemptionMode == PreemptionMode.OBSERVE_ONLY;
  }

  /** The same in another state. */
  public Queue withState(AdminState newState) {
    return new Queue(
        name,
        newState,
        nodeSelector,
        idleAssignment,
        unassigned,
        maxGraceMillis,
        lostWorkCapMillis,
        restartCostMillis,
        stateTimeLimits,
        preemptionMode);
  }

  /** Whether the selector, unless empty, chooses a node with these labels. */
  public boolean selects(Map<String, String> labels) {
    return !nodeSelector.isEmpty() && labels.entrySet().containsAll(nodeSelector.entrySet());
  }
}
