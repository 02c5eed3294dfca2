package io.quotashare.core.property;

import static io.quotashare.core.property.Violation.unless;

import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.Stop;
import io.quotashare.core.model.StopCause;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Judges every start, plan and preemption against the rows before it. A plan is written after the
 * plans that it takes and the victims that it stops, so these are kept until it comes.
 */
final class DecisionJudge {
  /** Cover that was missing when a plan was decided. */
  record Decided(int missingPlanned, int missingHeld) {}

  private final Mirror rows;
  private final Map<Long, Decided> decided = new HashMap<>();
  private final List<Plan> taken = new ArrayList<>();
  private final List<Attempt> stopped = new ArrayList<>();
  private Mirror before;
  private long newestPlan;
  private int starts;
  private int plans;

  DecisionJudge(Mirror rows) {
    this.rows = rows;
  }

  int starts() {
    return starts;
  }

  int plans() {
    return plans;
  }

  /** Looks at a row before it is applied. */
  void see(Change row, long now) {
    if (row instanceof Change.PlanRemoved removed) {
      Plan plan = rows.plans.get(removed.planId());
      unless(plan != null, "4.8", "plan %s is removed and was not there", removed.planId());
      if (Plans.stands(rows, plan)) {
        remember();
        taken.add(plan);
      }
    } else if (row instanceof Change.AttemptPut put) {
      see(put.attempt(), now);
    } else if (row instanceof Change.PlanPut put) {
      see(put.plan(), now);
    }
  }

  private void remember() {
    if (before == null) {
      before = rows.copy();
    }
  }

  private void see(Attempt attempt, long now) {
    Attempt known = rows.live.get(attempt.key());
    if (known == null && attempt.state() == AttemptState.SCHEDULED) {
      starts++;
      Plan plan = servedBy(attempt);
      new StartJudge(rows, attempt, now).judge(plan, plan == null ? null : decided.get(plan.id()));
      taken.remove(plan);
      settled();
    } else if (known != null && known.stop() == null && attempt.stop() != null) {
      seeStop(known, attempt, attempt.stop(), now);
    }
  }

  private void seeStop(Attempt known, Attempt attempt, Stop stop, long now) {
    Job job = rows.jobs.get(attempt.key().job());
    long grace =
        Math.min(job.spec().graceMillis(), rows.queues.get(job.key().queue()).maxGraceMillis());
    unless(
        stop.deadlineMillis() == now + grace,
        "6.1",
        "%s is killed at %s (expected: %s)",
        attempt.key(),
        stop.deadlineMillis(),
        now + grace);
    boolean byDecision =
        stop.cause() == StopCause.RECLAIM
            || stop.cause() == StopCause.IN_SHARE
            || stop.cause() == StopCause.CAPACITY_LOWERED;
    unless(
        !byDecision || !rows.observesOnly(job.key().queue()),
        "4.5",
        "%s is stopped for %s, and its queue only observes",
        attempt.key(),
        stop.cause());
    if (stop.cause() == StopCause.RECLAIM || stop.cause() == StopCause.IN_SHARE) {
      unless(Choice.isCandidate(known), "4.2", "%s is no candidate", known);
      unless(stop.beneficiary() != null, "6.5", "%s is stopped for nobody", attempt.key());
      remember();
      stopped.add(known);
    }
  }

  private void see(Plan plan, long now) {
    Plan known = rows.plans.get(plan.id());
    if (known != null) {
      Plans.judgePassing(rows, known, plan);
      return;
    }
    plans++;
    unless(plan.id() > newestPlan, "S7", "plan %s comes after %s", plan.id(), newestPlan);
    newestPlan = plan.id();
    remember();
    new PlanJudge(before, plan, taken, stopped, now).judge();
    Facts facts = Facts.of(before, plan.pool());
    Decided at = new Decided(facts.planned().missing(), facts.held().missing());
    unless(
        at.equals(new Decided(plan.missingPlanned(), plan.missingHeld())),
        "I4",
        "the plan says that %s and %s were missing (expected: %s)",
        plan.missingPlanned(),
        plan.missingHeld(),
        at);
    decided.put(plan.id(), at);
    taken.clear();
    stopped.clear();
    before = null;
  }

  /** The plan that was just removed because its job starts; null if none. */
  private Plan servedBy(Attempt attempt) {
    return taken.stream()
        .filter(plan -> plan.beneficiary().equals(attempt.key().job()))
        .findFirst()
        .orElse(null);
  }

  /**
   * Nothing is left half done once a start, a step or a pass is over; a plan that could be served
   * ends only if its beneficiary goes away.
   */
  void settled() {
    unless(stopped.isEmpty(), "4.4", "stopped for no plan: %s", stopped);
    for (Plan plan : taken) {
      Job job = rows.jobs.get(plan.beneficiary());
      unless(
          job.state().isTerminal() || job.held(),
          "4.8",
          "plan %s is given up though it could be served",
          plan);
    }
    taken.clear();
    before = null;
  }

  /** What was missing when a plan was decided. */
  Decided decided(long plan) {
    return decided.get(plan);
  }

  /** Jobs of attempts. */
  static Set<JobKey> jobs(List<Attempt> attempts) {
    return Set.copyOf(attempts.stream().map(Attempt::key).map(AttemptKey::job).toList());
  }
}
