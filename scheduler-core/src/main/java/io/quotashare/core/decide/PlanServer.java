package io.quotashare.core.decide;

import io.quotashare.core.ledger.Ledger;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.state.Feasibility;
import io.quotashare.core.state.NodeSlots;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.ShareState;
import io.quotashare.core.state.State;
import io.quotashare.core.steps.Moves;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Serves the plans of a pool (quota-semantics 4.8): a plan whose ground is gone is void, one passes
 * to a job of its share that goes before its beneficiary, and one starts as soon as limits and
 * cover allow it in both ledgers.
 */
final class PlanServer {
  private final State state;
  private final Moves moves;

  PlanServer(State state, Moves moves) {
    this.state = state;
    this.moves = moves;
  }

  /** Judges and serves every plan once; whether anything changed. */
  boolean serve(Pool pool) {
    boolean changed = false;
    List<Plan> newestFirst = new ArrayList<>(state.plansOf(pool.key()));
    Collections.reverse(newestFirst);
    for (Plan plan : newestFirst) {
      if (!stands(pool, plan)) {
        moves.abandon(plan);
        changed = true;
      }
    }
    for (Plan plan : state.plansOf(pool.key())) {
      changed |= serve(pool, plan);
    }
    return changed;
  }

  private boolean serve(Pool pool, Plan plan) {
    Optional<Plan> passed = pass(pool, plan);
    if (passed.isPresent()) {
      state.putPlan(passed.get());
      return true;
    }
    Job job = state.job(plan.beneficiary());
    if (!job.state().isWaiting() || job.held() || !Cover.allowsStartOf(pool, plan)) {
      return false;
    }
    Optional<SortedMap<String, Integer>> places =
        placesAreFree(pool, plan) ? Optional.of(plan.places()) : elsewhere(pool, plan, job);
    places.ifPresent(
        where -> {
          state.removePlan(plan.id());
          moves.start(job, where);
        });
    return places.isPresent();
  }

  /** Whether its share may still start it and hold that much, and its places are still there. */
  private boolean stands(Pool pool, Plan plan) {
    if (!mayHold(pool, plan)) {
      return false;
    }
    for (Map.Entry<String, Integer> place : plan.places().entrySet()) {
      NodeSlots slots = pool.nodes().get(place.getKey());
      if (slots == null
          || !slots.node().countsFree()
          || slots.free() + slots.leaving() < slots.claimed()) {
        return false;
      }
    }
    return true;
  }

  private boolean mayHold(Pool pool, Plan plan) {
    QuotaShare share = state.shares().get(plan.share());
    Job job = state.job(plan.beneficiary());
    Ledger planned = pool.planned();
    int tolerated = planned.withinLimit(plan.share(), 0) ? plan.missingPlanned() : 0;
    return pool.queue().state() == AdminState.ENABLED
        && share.state() == AdminState.ENABLED
        && planned.missing() <= tolerated
        && planned.withinBorrowLimit(plan.share(), 0)
        && Feasibility.impossible(pool, share, job.spec()).isEmpty();
  }

  private static boolean placesAreFree(Pool pool, Plan plan) {
    for (Map.Entry<String, Integer> place : plan.places().entrySet()) {
      NodeSlots slots = pool.nodes().get(place.getKey());
      if (!slots.node().takesWork() || slots.free() < place.getValue()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Where the job can start although its own places are not free yet: its claims no longer count
   * against it.
   */
  private static Optional<SortedMap<String, Integer>> elsewhere(Pool pool, Plan plan, Job job) {
    pool.claim(plan.places(), -1);
    try {
      return pool.place(job.spec().shape());
    } finally {
      pool.claim(plan.places(), 1);
    }
  }

  /**
   * The same plan for the first job of the share that goes before the beneficiary and fits on what
   * it claims.
   */
  private Optional<Plan> pass(Pool pool, Plan plan) {
    ShareState.Turn beneficiary = ShareState.Turn.of(state.job(plan.beneficiary()));
    for (ShareState.Turn turn : pool.share(plan.share()).line().headSet(beneficiary)) {
      Job job = state.job(turn.job());
      Optional<SortedMap<String, Integer>> places = Planner.seatOn(plan, job);
      if (places.isPresent() && mayTake(pool, plan, job)) {
        return Optional.of(plan.passedTo(job.key(), places.get()));
      }
    }
    return Optional.empty();
  }

  private static boolean mayTake(Pool pool, Plan plan, Job job) {
    boolean ready = job.state().isWaiting() || job.state() == JobState.PREEMPTING;
    return ready
        && (job.spec().borrow() != BorrowMode.NEVER
            || pool.planned().withinLimit(plan.share(), job.gpus() - plan.gpus()));
  }
}
