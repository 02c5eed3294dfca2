package io.quotashare.core.property;

import static io.quotashare.core.property.Violation.unless;

import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Observation;
import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.core.model.StopCause;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What queues that only observe record: attempts that could be stopped, each set of victims once
 * for one wait of its beneficiary.
 */
final class ObserveJudge {
  private final Mirror rows;

  /** Victims of the decisions of this step. */
  private final Map<Long, Set<AttemptKey>> decisions = new TreeMap<>();

  private final Map<Long, Object> beneficiaries = new HashMap<>();

  /** Sets that were recorded for those who wait still. */
  private final Map<Object, Set<Set<AttemptKey>>> recorded = new HashMap<>();

  private int observed;

  ObserveJudge(Mirror rows) {
    this.rows = rows;
  }

  /** Victims that were recorded so far. */
  int observed() {
    return observed;
  }

  /** Looks at a row before it is applied. */
  void see(Change row) {
    if (row instanceof Change.ObservedPreemptionPut put) {
      see(put.preemption());
    } else if (row instanceof Change.ObservationRemoved removed) {
      recorded.remove(beneficiary(rows.observations.get(removed.id())));
    } else if (row instanceof Change.JobPut put && !put.job().state().isWaiting()) {
      Job known = rows.jobs.get(put.job().key());
      unless(
          known == null || known.state().isWaiting() || rows.observationFor(known.key()).isEmpty(),
          "7",
          "%s waits no more, and whom it would stop is still noted",
          put.job().key());
    }
  }

  private void see(ObservedPreemption preemption) {
    observed++;
    unless(
        rows.observesOnly(preemption.victim().job().queue()),
        "4.5",
        "%s is only observed, and its queue enforces",
        preemption);
    Attempt victim = rows.live.get(preemption.victim());
    unless(victim != null && Choice.isCandidate(victim), "4.2", "%s is no candidate", preemption);
    unless(victim.heldGpus() == preemption.gpus(), "6.5", "%s holds other devices", preemption);
    boolean forNobody = preemption.cause() == StopCause.CAPACITY_LOWERED;
    unless(forNobody == (preemption.beneficiary() == null), "6.5", "for whom? %s", preemption);
    Object beneficiary =
        forNobody ? List.of(preemption.share(), victim.unit()) : preemption.beneficiary();
    decisions
        .computeIfAbsent(preemption.decision(), id -> new HashSet<>())
        .add(preemption.victim());
    beneficiaries.put(preemption.decision(), beneficiary);
  }

  private static Object beneficiary(Observation observation) {
    return observation.beneficiary() == null
        ? List.of(observation.share(), observation.pool().unit())
        : observation.beneficiary();
  }

  /** A step is over. */
  void settled() {
    decisions.forEach(
        (decision, victims) -> {
          Object beneficiary = beneficiaries.get(decision);
          boolean isNew = recorded.computeIfAbsent(beneficiary, b -> new HashSet<>()).add(victims);
          unless(isNew, "4.5", "%s are recorded twice for %s", victims, beneficiary);
        });
    decisions.clear();
    beneficiaries.clear();
  }
}
