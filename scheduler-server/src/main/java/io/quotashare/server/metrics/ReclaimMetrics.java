package io.quotashare.server.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quotashare.core.Change;
import io.quotashare.core.JobEvent;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.Stop;
import io.quotashare.core.model.StopCause;
import io.quotashare.server.engine.Commit;
import io.quotashare.server.engine.Restored;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long it takes to take lent devices back, phase by phase: {@code decide} and {@code
 * start} once for each plan, {@code save}, {@code stop} and {@code free} once for each victim.
 * Engine's thread only. What it remembers is as large as the plans that wait.
 */
final class ReclaimMetrics {
  /** A plan that waits, and when the last of its victims so far was gone. */
  private static final class Pending {
    private JobKey beneficiary;
    private long freedAtMillis;

    Pending(JobKey beneficiary) {
      this.beneficiary = beneficiary;
    }
  }

  private final MeterRegistry registry;
  private final Map<Long, Pending> plans = new HashMap<>();
  private final Map<AttemptKey, Long> planOfVictim = new HashMap<>();

  /** Beneficiaries that were placed and do not run yet, and since when their devices are free. */
  private final Map<JobKey, Long> starting = new HashMap<>();

  ReclaimMetrics(MeterRegistry registry) {
    this.registry = requireNonNull(registry, "registry is null");
  }

  /** Goes on with the plans that a new leader finds. */
  void started(Restored restored) {
    for (Change row : restored.rows()) {
      if (row instanceof Change.PlanPut put && isReclaim(put.plan())) {
        remember(put.plan());
      }
    }
    for (Change row : restored.rows()) {
      if (row instanceof Change.AttemptPut put && put.attempt().state() == AttemptState.ENDED) {
        freed(put.attempt());
      }
    }
  }

  /**
   * Measures what a commit says.
   *
   * @param waitingSince since when each waiting job waited before the commit
   */
  void committed(Commit commit, Map<JobKey, Long> waitingSince) {
    for (Change change : commit.batch().changes()) {
      if (change instanceof Change.PlanPut put && isReclaim(put.plan())) {
        decided(put.plan(), waitingSince);
      } else if (change instanceof Change.AttemptPut put
          && put.attempt().state() == AttemptState.ENDED) {
        ended(put.attempt());
      }
    }
    Set<JobKey> started = new HashSet<>();
    for (JobEvent event : commit.batch().events()) {
      if (event.type() == JobEvent.Type.STARTED) {
        started.add(event.job().key());
      }
    }
    for (Change change : commit.batch().changes()) {
      if (change instanceof Change.PlanRemoved removed) {
        over(removed.planId(), started, commit.atMillis());
      }
    }
    commit.batch().events().forEach(this::happened);
  }

  private static boolean isReclaim(Plan plan) {
    return plan.cause() == StopCause.RECLAIM && !plan.victims().isEmpty();
  }

  private void decided(Plan plan, Map<JobKey, Long> waitingSince) {
    Pending known = plans.get(plan.id());
    if (known != null) {
      known.beneficiary = plan.beneficiary();
      return;
    }
    remember(plan);
    long since = waitingSince.getOrDefault(plan.beneficiary(), plan.decidedAtMillis());
    record("decide", plan.decidedAtMillis() - since);
  }

  private void remember(Plan plan) {
    plans.put(plan.id(), new Pending(plan.beneficiary()));
    plan.victims().forEach(victim -> planOfVictim.put(victim, plan.id()));
  }

  private void ended(Attempt attempt) {
    freed(attempt);
    Stop stop = attempt.stop();
    if (stop == null || stop.cause() != StopCause.RECLAIM) {
      return;
    }
    long freedAt = attempt.endedAtMillis().orElse(stop.requestedAtMillis());
    long exitedAt =
        attempt.parts().stream()
            .map(Part::exitedAtMillis)
            .mapToLong(at -> at.orElse(freedAt))
            .max()
            .orElse(freedAt);
    long toldToEnd = stop.savedAtMillis().orElse(stop.requestedAtMillis());
    if (stop.savedAtMillis().isPresent()) {
      record("save", toldToEnd - stop.requestedAtMillis());
    }
    record("stop", exitedAt - toldToEnd);
    record("free", freedAt - exitedAt);
  }

  private void freed(Attempt attempt) {
    Pending plan = plans.get(planOfVictim.getOrDefault(attempt.key(), -1L));
    if (plan != null) {
      plan.freedAtMillis = Math.max(plan.freedAtMillis, attempt.endedAtMillis().orElse(0));
    }
  }

  private void over(long id, Set<JobKey> started, long nowMillis) {
    Pending plan = plans.remove(id);
    planOfVictim.values().removeIf(of -> of == id);
    if (plan != null && started.contains(plan.beneficiary)) {
      starting.put(plan.beneficiary, plan.freedAtMillis == 0 ? nowMillis : plan.freedAtMillis);
    }
  }

  private void happened(JobEvent event) {
    switch (event.type()) {
      case RUNNING -> {
        Long since = starting.remove(event.job().key());
        if (since != null) {
          record("start", event.atMillis() - since);
        }
      }
      case STOPPED, FAILED, CANCELLED, SUCCEEDED -> starting.remove(event.job().key());
      default -> {}
    }
  }

  private void record(String phase, long millis) {
    Timer.builder("quotashare.reclaim")
        .description("Phases of taking lent devices back for an owner's job")
        .tag("phase", phase)
        .serviceLevelObjectives(EngineMetrics.LONG)
        .register(registry)
        .record(Math.max(0, millis), TimeUnit.MILLISECONDS);
  }
}
