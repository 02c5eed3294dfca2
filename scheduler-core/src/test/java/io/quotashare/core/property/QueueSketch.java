package io.quotashare.core.property;

import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.IdleAssignment;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.Queue.StateTimeLimit;
import io.quotashare.core.model.Unassigned;
import io.quotashare.core.model.WaitingReason;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A queue as a test writes it down; what is not said has its default. */
final class QueueSketch extends Sketch<QueueSketch> {
  private final String name;
  private final TreeMap<String, String> selector = new TreeMap<>();
  private AdminState state = AdminState.ENABLED;
  private IdleAssignment idleAssignment = IdleAssignment.FIFO;
  private Unassigned unassigned = Unassigned.BORROWABLE;
  private long maxGraceMillis = Queue.DEFAULT_MAX_GRACE_MILLIS;
  private long lostWorkCapMillis = Queue.DEFAULT_LOST_WORK_CAP_MILLIS;
  private long restartCostMillis = Queue.DEFAULT_RESTART_COST_MILLIS;
  private PreemptionMode preemptionMode = PreemptionMode.ENFORCE;
  private final List<StateTimeLimit> limits = new ArrayList<>();

  private QueueSketch(String name) {
    super("queue(\"" + name + "\")");
    this.name = name;
  }

  static QueueSketch queue(String name) {
    return new QueueSketch(name);
  }

  /** Chooses the nodes with this label {@code pool}. */
  QueueSketch pool(String value) {
    return trait(String.format("pool(\"%s\")", value), s -> s.selector.put("pool", value));
  }

  QueueSketch fair() {
    return trait("fair()", s -> s.idleAssignment = IdleAssignment.FAIR);
  }

  QueueSketch keepsUnassigned() {
    return trait("keepsUnassigned()", s -> s.unassigned = Unassigned.IDLE);
  }

  QueueSketch maxGrace(long millis) {
    return trait(String.format("maxGrace(%s)", millis), s -> s.maxGraceMillis = millis);
  }

  QueueSketch lostWorkCap(long millis) {
    return trait(String.format("lostWorkCap(%s)", millis), s -> s.lostWorkCapMillis = millis);
  }

  QueueSketch restartCost(long millis) {
    return trait(String.format("restartCost(%s)", millis), s -> s.restartCostMillis = millis);
  }

  QueueSketch limit(WaitingReason reason, long millis) {
    return trait(
        String.format("limit(WaitingReason.%s, %s)", reason, millis),
        s -> s.limits.add(new StateTimeLimit(reason, millis)));
  }

  QueueSketch observesOnly() {
    return trait("observesOnly()", s -> s.preemptionMode = PreemptionMode.OBSERVE_ONLY);
  }

  QueueSketch disabled() {
    return trait("disabled()", s -> s.state = AdminState.DISABLED);
  }

  Queue build() {
    return new Queue(
        name,
        state,
        selector,
        idleAssignment,
        unassigned,
        maxGraceMillis,
        lostWorkCapMillis,
        restartCostMillis,
        limits,
        preemptionMode);
  }

  @Override
  QueueSketch self() {
    return this;
  }

  @Override
  QueueSketch plain() {
    return new QueueSketch(name);
  }
}
