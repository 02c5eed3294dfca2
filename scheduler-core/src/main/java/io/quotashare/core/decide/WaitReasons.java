package io.quotashare.core.decide;

import io.quotashare.core.decide.DecisionPass.Tried;
import io.quotashare.core.ledger.Ledger;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Observation;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.Queue.StateTimeLimit;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.Waiting;
import io.quotashare.core.model.WaitingReason;
import io.quotashare.core.state.Feasibility;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.ShareState;
import io.quotashare.core.state.State;
import io.quotashare.core.steps.Moves;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Gives every waiting job its one reason: the first of quota-semantics 7 that applies. Jobs behind
 * a front are looked at when they come and when something of theirs changes; fronts after every
 * pass in which something changed that their reason may depend on.
 */
final class WaitReasons {
  private final State state;
  private final Moves moves;
  private final Fronts fronts;

  private final Explained explained = new Explained();

  WaitReasons(State state, Moves moves, Fronts fronts) {
    this.state = state;
    this.moves = moves;
    this.fronts = fronts;
  }

  /**
   * Explains what needs it; returns when a limit on waiting is next reached, {@link Long#MAX_VALUE}
   * for never, and 0 if one was reached, so that the pool must be looked at anew.
   */
  long explain(Pool pool, Map<JobKey, Tried> tried) {
    SortedSet<JobKey> jobs = state.lines().takeUnexplained(pool);
    for (ShareState share : explained.takeShares(pool)) {
      Optional<Job> first = fronts.front(share);
      JobKey shown = share.showFront(first.map(Job::key).orElse(null));
      if (shown != null) {
        jobs.add(shown);
      }
      first.ifPresent(job -> jobs.add(job.key()));
    }
    for (JobKey key : explained.takeTried(pool, tried)) {
      Job job = state.jobs().get(key);
      if (job != null && job.state().isWaiting() && isFront(pool, job)) {
        jobs.add(key);
      }
    }
    for (JobKey key : jobs) {
      Job job = state.jobs().get(key);
      if (job != null && job.state().isWaiting()) {
        moves.wait(
            job, reason(pool, job, isFront(pool, job), tried.getOrDefault(key, Tried.NOTHING)));
      }
    }
    // What was just said needs no saying again.
    state.lines().takeUnexplained(pool);
    pool.takeChanged();
    return enforceLimits(pool);
  }

  private boolean isFront(Pool pool, Job job) {
    return fronts
        .front(pool.share(job.share()))
        .filter(front -> front.key().equals(job.key()))
        .isPresent();
  }

  /**
   * Gives jobs that nothing is decided about the reason for that. Those who wait while a new leader
   * recovers are looked at again by themselves; resuming scheduling asks for all anew.
   */
  void hold(Pool pool, WaitingReason reason, String detail) {
    for (JobKey key : state.lines().takeUnexplained(pool)) {
      Job job = state.jobs().get(key);
      if (job != null && job.state().isWaiting()) {
        Waiting held = new Waiting(reason, detail, state.now());
        moves.wait(job, disabled(pool, job).orElse(held));
        if (reason == WaitingReason.RECOVERING) {
          state.lines().explainLater(pool, key);
        }
      }
    }
  }

  // The table of quota-semantics 7, in its order

  private Waiting reason(Pool pool, Job job, boolean isFront, Tried tried) {
    QuotaShare share = state.shareOf(job);
    Optional<Waiting> disabled = disabled(pool, job);
    if (disabled.isPresent()) {
      return disabled.get();
    }
    Optional<Feasibility.Impossible> impossible = Feasibility.impossible(pool, share, job.spec());
    if (impossible.isPresent() && (!job.held() || precedesHeld(impossible.get().reason()))) {
      return because(impossible.get().reason(), "%s", impossible.get().detail());
    }
    if (job.held()) {
      return because(WaitingReason.HELD, "held back by its owner until it is released");
    }
    Optional<Plan> plan = state.planFor(job.key());
    if (plan.isPresent()) {
      return forPreemption(plan.get());
    }
    Optional<Observation> observation =
        tried.observed() == null ? Optional.empty() : state.observations().of(job);
    if (observation.isPresent()) {
      return observeOnly(observation.get());
    }
    if (!isFront) {
      return because(
          WaitingReason.BEHIND_FRONT_JOB,
          "not at the front of share %s for %s",
          share.key().share(),
          pool.key().unit());
    }
    return ofFront(pool, share, job, tried);
  }

  private Optional<Waiting> disabled(Pool pool, Job job) {
    if (pool.queue().state() != AdminState.ENABLED) {
      return Optional.of(
          because(WaitingReason.QUEUE_DISABLED, "queue %s is disabled", pool.queue().name()));
    }
    QuotaShare share = state.shareOf(job);
    return share.state() != AdminState.ENABLED
        ? Optional.of(
            because(WaitingReason.SHARE_DISABLED, "share %s is disabled", share.key().share()))
        : Optional.empty();
  }

  private static boolean precedesHeld(WaitingReason reason) {
    return reason.compareTo(WaitingReason.HELD) < 0;
  }

  private Waiting forPreemption(Plan plan) {
    String names =
        String.join(", ", plan.victims().stream().map(victim -> victim.job().id()).toList());
    return names.isEmpty()
        ? because(
            WaitingReason.WAITING_FOR_PREEMPTION,
            "%d %s are coming free for it",
            plan.gpus(),
            plan.unit())
        : because(
            WaitingReason.WAITING_FOR_PREEMPTION,
            "%d %s are being taken back for it from %s",
            plan.gpus(),
            plan.unit(),
            names);
  }

  private Waiting observeOnly(Observation observation) {
    int gpus = observation.victims().stream().mapToInt(Observation.Victim::gpus).sum();
    String names =
        String.join(", ", observation.victims().stream().map(v -> v.attempt().job().id()).toList());
    return because(
        WaitingReason.OBSERVE_ONLY,
        "queue %s only observes: it would take %d %s back from %s, and stops nobody",
        observation.pool().queue(),
        gpus,
        observation.pool().unit(),
        names);
  }

  private Waiting ofFront(Pool pool, QuotaShare share, Job job, Tried tried) {
    Ledger planned = pool.planned();
    int gpus = job.gpus();
    int use = planned.use(job.share());
    String unit = pool.key().unit();
    String name = share.key().share();
    boolean within = planned.withinLimit(job.share(), gpus);
    boolean borrows = share.strategy().borrows() && job.spec().borrow() != BorrowMode.NEVER;
    if (pool.totalDevices() == 0) {
      return because(WaitingReason.WAITING_FOR_NODES, "no node with %s has registered yet", unit);
    }
    if (wouldFitIfNodesCameBack(pool, job, borrows)) {
      return because(
          WaitingReason.WAITING_FOR_NODES,
          "it would fit if cordoned, draining or lost nodes came back: %s, with %d free %s",
          closedNodes(pool),
          pool.closedFree(),
          unit);
    }
    if (tried.youngUntilMillis() > 0) {
      return because(
          WaitingReason.WAITING_FOR_MIN_RUNTIME,
          "what could be stopped for it is younger than its share's minRuntime; it has to wait %s"
              + " for that at most",
          seconds(tried.youngUntilMillis() - since(job, WaitingReason.WAITING_FOR_MIN_RUNTIME)));
    }
    if (!within && !borrows) {
      return because(
          WaitingReason.SHARE_AT_LIMIT,
          "share %s uses %d of %d %s, the job asks for %d, and %s",
          name,
          use,
          planned.capacity(job.share()),
          unit,
          gpus,
          share.strategy().borrows() ? "it may not borrow" : share.strategy() + " never borrows");
    }
    if (!within && !planned.withinBorrowLimit(job.share(), gpus)) {
      return because(
          WaitingReason.BORROW_LIMIT_REACHED,
          "share %s uses %d %s, the job asks for %d, and the limit is %d plus %d borrowed",
          name,
          use,
          unit,
          gpus,
          planned.capacity(job.share()),
          share.borrowLimit(unit));
    }
    return within ? ofOwner(pool, job) : ofBorrower(pool, job, tried);
  }

  private Waiting ofOwner(Pool pool, Job job) {
    Ledger planned = pool.planned();
    int overcommitted = planned.sumCapacity() - planned.exists();
    if (overcommitted > 0 && planned.free() < job.gpus()) {
      return because(
          WaitingReason.OVERCOMMITTED,
          "within its limit, but %d %s are guaranteed, %d exist, and %s unused",
          planned.sumCapacity(),
          pool.key().unit(),
          planned.exists(),
          planned.free() <= 0 ? "none is" : "too few are");
    }
    return scattered(pool, job);
  }

  private Waiting ofBorrower(Pool pool, Job job, Tried tried) {
    String unit = pool.key().unit();
    if (pool.borrowingBlocked()) {
      return because(
          WaitingReason.NOTHING_TO_BORROW,
          "no %s are lent while an owner waits for the minRuntime of borrowers",
          unit);
    }
    Job owner = tried.takenBackFor();
    if (owner != null) {
      return because(
          WaitingReason.NOTHING_TO_BORROW,
          "%d %s are unused, but not lent to it: job %s of share %s would stop jobs of share %s at"
              + " once to take them back",
          job.gpus(),
          unit,
          owner.key().id(),
          owner.spec().share(),
          job.spec().share());
    }
    if (pool.planned().free() >= job.gpus() && Cover.allowsAfter(pool, job, Map.of(), true)) {
      return scattered(pool, job);
    }
    int free = Math.max(0, pool.planned().free());
    int beyond =
        pool.planned().use(job.share()) + job.gpus() - pool.planned().capacity(job.share());
    return because(
        WaitingReason.NOTHING_TO_BORROW,
        "share %s would be %d %s above its limit with it, and %s",
        job.spec().share(),
        Math.max(0, beyond),
        unit,
        free == 0
            ? "none is unused"
            : String.format(
                "of %d unused %d may not be lent",
                free, Math.min(free, pool.planned().withheld())));
  }

  /** Enough devices, but not yet, or not where the shape needs them. */
  private Waiting scattered(Pool pool, Job job) {
    Shape shape = job.spec().shape();
    String unit = pool.key().unit();
    String needs =
        shape.nodes() == 1
            ? String.format("%d free %s on one node", shape.gpusPerNode(), unit)
            : String.format(
                "%d nodes with %d free %s each", shape.nodes(), shape.gpusPerNode(), unit);
    int coming = pool.coming();
    if (coming > 0) {
      return because(
          WaitingReason.FRAGMENTED,
          "needs %s; %d are still being freed by jobs that were told to stop",
          needs,
          coming);
    }
    int most = pool.mostAvailable();
    String kept =
        pool.hold()
            .filter(hold -> hold.job().equals(job.key()))
            .map(hold -> "; " + String.join(", ", hold.places().keySet()) + " is kept for it")
            .orElse("");
    return because(
        WaitingReason.FRAGMENTED,
        "needs %s; %d are free, at most %d on one node%s",
        needs,
        pool.openFree(),
        most,
        kept);
  }

  private static boolean wouldFitIfNodesCameBack(Pool pool, Job job, boolean borrows) {
    if (pool.closedFree() == 0) {
      return false;
    }
    Ledger planned = pool.planned();
    boolean allowed =
        planned.allows(
            job.share(), job.gpus(), Map.of(), borrows, planned.missing(), pool.closedFree());
    Shape shape = job.spec().shape();
    return allowed && pool.nodesIfOpened(shape.gpusPerNode()) >= shape.nodes();
  }

  private static String closedNodes(Pool pool) {
    return String.join(", ", pool.closedNodes().stream().limit(5).toList());
  }

  /** Since when a job waits for a reason, if it is found to wait for it now. */
  private long since(Job job, WaitingReason reason) {
    Waiting waiting = job.waiting();
    return waiting != null && waiting.reason() == reason ? waiting.sinceMillis() : state.now();
  }

  private Waiting because(WaitingReason reason, String format, Object... args) {
    return new Waiting(reason, String.format(format, args), state.now());
  }

  private static String seconds(long millis) {
    return (millis + 999) / 1000 + " s";
  }

  // Limits on waiting (stateTimeLimits)

  private long enforceLimits(Pool pool) {
    long next = Long.MAX_VALUE;
    if (pool.queue().stateTimeLimits().isEmpty()) {
      return next;
    }
    for (ShareState share : pool.shares().values()) {
      for (JobKey key : share.firstAndAside()) {
        next = Math.min(next, enforceLimits(pool, state.job(key)));
      }
    }
    return next;
  }

  private long enforceLimits(Pool pool, Job job) {
    Waiting waiting = job.waiting();
    if (waiting == null || !job.state().isWaiting()) {
      return Long.MAX_VALUE;
    }
    for (StateTimeLimit limit : pool.queue().stateTimeLimits()) {
      long end = waiting.sinceMillis() + limit.maxMillis();
      if (limit.reason() == waiting.reason() && end <= state.now()) {
        moves.endWaiting(
            job,
            JobState.FAILED,
            String.format(
                "waited for %s longer than %s: %s",
                waiting.reason(), seconds(limit.maxMillis()), waiting.detail()));
        return 0;
      } else if (limit.reason() == waiting.reason()) {
        return end;
      }
    }
    return Long.MAX_VALUE;
  }
}
