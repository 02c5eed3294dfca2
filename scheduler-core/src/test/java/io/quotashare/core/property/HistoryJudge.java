package io.quotashare.core.property;

import static io.quotashare.core.property.Violation.unless;

import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Outcome;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.Stop;
import io.quotashare.core.model.StopCause;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** What must hold from row to row: I5, I7, V4, V9, V10, and quotas-semantics 6.4 and 6.6. */
final class HistoryJudge {
  private record Edge(JobKey beneficiary, JobKey victim) {}

  private final Mirror rows;
  private final Set<AttemptKey> ended = new HashSet<>();
  private final Set<JobKey> preempted = new HashSet<>();
  private final Set<Edge> edges = new HashSet<>();
  private final Map<Long, Long> plannedAtFact = new HashMap<>();
  private final Set<JobKey> overBudget = new HashSet<>();
  private long facts;
  private int preemptions;

  HistoryJudge(Mirror rows) {
    this.rows = rows;
  }

  /** Preemptions so far. */
  int preemptions() {
    return preemptions;
  }

  /** Looks at a row before it is applied. */
  void see(Change row) {
    if (row instanceof Change.JobPut put) {
      see(put.job());
    } else if (row instanceof Change.AttemptPut put) {
      see(put.attempt());
    } else if (row instanceof Change.PlanPut put) {
      plannedAtFact.putIfAbsent(put.plan().id(), facts);
    } else if (row instanceof Change.PlanRemoved removed) {
      seeEnd(rows.plans.get(removed.planId()));
    } else if (row instanceof Change.SharePut
        || row instanceof Change.QueuePut
        || row instanceof Change.NodePut) {
      newFact();
    }
  }

  /** Something of 6.6: from here on a job may be preempted once more. */
  private void newFact() {
    facts++;
    preempted.clear();
    edges.clear();
  }

  private void see(Job job) {
    Job known = rows.jobs.get(job.key());
    if (known == null) {
      newFact();
      return;
    }
    unless(!known.state().isTerminal(), "V4", "%s changes after its end", job.key());
    unless(
        job.sequence() == known.sequence() && job.submittedAtMillis() == known.submittedAtMillis(),
        "2.2",
        "%s loses its place",
        job.key());
    unless(job.revision() > known.revision(), "V3", "%s has an old revision", job.key());
    unless(
        job.attempts() - known.attempts() <= 1 && job.attempts() >= known.attempts(),
        "V9",
        "%s counts %s attempts after %s",
        job.key(),
        job.attempts(),
        known.attempts());
    boolean other =
        job.state().isTerminal()
            || job.priority() != known.priority()
            || job.held() != known.held();
    if (other) {
      newFact();
    }
    seeBudget(known, job);
  }

  private void seeBudget(Job known, Job job) {
    OptionalInt budget = job.spec().preemptionRetries();
    if (overBudget.remove(job.key())) {
      unless(job.state() == JobState.FAILED, "V10", "%s goes on beyond its budget", job.key());
    }
    unless(
        job.state().isTerminal() || budget.isEmpty() || job.preemptions() <= budget.getAsInt(),
        "V10",
        "%s was preempted %s times",
        job.key(),
        job.preemptions());
    unless(job.preemptions() - known.preemptions() <= 1, "6.4", "%s counts too often", job.key());
  }

  private void see(Attempt attempt) {
    AttemptKey key = attempt.key();
    Attempt known = rows.live.get(key);
    unless(!ended.contains(key), "V4", "%s changes after its end", key);
    unless(
        known == null || attempt.requests() >= known.requests(),
        "V11",
        "%s was asked %s times after %s",
        key,
        attempt.requests(),
        known == null ? 0 : known.requests());
    unless(
        attempt.progress().ackSeq() <= attempt.requests(),
        "V11",
        "%s confirms what it was not asked for",
        key);
    if (attempt.state() == AttemptState.ENDED) {
      ended.add(key);
      if (attempt.outcome() != Outcome.PREEMPTED) {
        newFact();
      } else if (usesUpTheBudget(attempt)) {
        overBudget.add(key.job());
      }
    } else if (known != null && known.stop() == null && attempt.stop() != null) {
      see(attempt, attempt.stop());
    }
  }

  private boolean usesUpTheBudget(Attempt attempt) {
    Job job = rows.jobs.get(attempt.key().job());
    OptionalInt budget = job.spec().preemptionRetries();
    return attempt.stop().cause().usesBudget()
        && budget.isPresent()
        && job.preemptions() + 1 > budget.getAsInt();
  }

  private void see(Attempt attempt, Stop stop) {
    if (stop.cause() != StopCause.RECLAIM && stop.cause() != StopCause.IN_SHARE) {
      newFact();
      return;
    }
    JobKey victim = attempt.key().job();
    preemptions++;
    unless(preempted.add(victim), "6.6", "%s is preempted twice without a new fact", victim);
    edges.add(new Edge(stop.beneficiary(), victim));
    unless(
        !edges.contains(new Edge(victim, stop.beneficiary())),
        "I7",
        "%s and %s stop each other without a new fact",
        victim,
        stop.beneficiary());
  }

  /**
   * A plan with victims is void only if somebody changed something (futile preemptions are 0). What
   * a reclaim takes is not void for nothing: what comes free serves the reclaim (4.2).
   */
  private void seeEnd(Plan plan) {
    Job job = rows.jobs.get(plan.beneficiary());
    boolean quiet = plannedAtFact.get(plan.id()) == facts;
    if (quiet
        && !plan.victims().isEmpty()
        && job.state().isWaiting()
        && !Plans.stands(rows, plan)) {
      pendingEnds.put(plan.beneficiary(), plan);
    }
  }

  private final Map<JobKey, Plan> pendingEnds = new HashMap<>();

  /** Called when a step or a decision is over. */
  void settled() {
    for (Plan plan : pendingEnds.values()) {
      Job job = rows.jobs.get(plan.beneficiary());
      boolean started =
          rows.liveOf(job.key()).isPresent() || job.state().isTerminal() || job.held();
      unless(started, "futile", "plan %s ended without its start and without a new fact", plan);
    }
    pendingEnds.clear();
  }
}
