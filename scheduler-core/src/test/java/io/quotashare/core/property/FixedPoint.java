package io.quotashare.core.property;

import static io.quotashare.core.property.Violation.unless;

import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Hold;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Observation;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.WaitingReason;
import io.quotashare.core.property.Acts.Act;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** After a pass nothing is left to decide, and every reason to wait is true (3, 7). */
final class FixedPoint {
  private final Mirror rows;
  private final DecisionJudge decisions;

  FixedPoint(Mirror rows, DecisionJudge decisions) {
    this.rows = rows;
    this.decisions = decisions;
  }

  void judge(long now) {
    for (PoolKey pool : rows.pools()) {
      if (rows.queues.containsKey(pool.queue())) {
        judge(pool, now);
      }
    }
  }

  private void judge(PoolKey pool, long now) {
    for (Job front : Rules.fronts(rows, pool)) {
      Act act = Acts.of(rows, pool, front, now).act();
      unless(act != Act.START && act != Act.PLAN, "3", "%s waits and could %s", front.key(), act);
      if (act == Act.OBSERVE) {
        judgeObserved(pool, front, now);
      }
    }
    for (Plan plan : rows.plansIn(pool)) {
      unless(
          !Plans.couldStart(rows, plan, decisions.decided(plan.id())),
          "4.8",
          "plan %s waits and could start",
          plan);
    }
    for (Job job : rows.jobs.values()) {
      if (job.pool().equals(pool) && job.state().isWaiting()) {
        judge(pool, job, now);
      }
    }
    judgeHold(pool, now);
  }

  /** It says whom its queue would stop: the very set that would be stopped otherwise. */
  private void judgeObserved(PoolKey pool, Job front, long now) {
    unless(
        front.waiting().reason() == WaitingReason.OBSERVE_ONLY,
        "7",
        "%s waits for %s (expected: OBSERVE_ONLY)",
        front.key(),
        front.waiting().reason());
    Optional<Observation> note = rows.observationFor(front.key());
    unless(note.isPresent(), "4.5", "nothing is noted for %s", front.key());
    Acts.Found found = Acts.of(rows, pool, front, now);
    Choice choice = new Choice(rows, pool, front, found.mayBorrow(), found.candidates());
    Set<JobKey> best = new HashSet<>(choice.best().orElseThrow());
    found.candidates().stream().filter(Choice.Candidate::isPlan).forEach(c -> best.remove(c.job()));
    Set<JobKey> named =
        note.get().victims().stream().map(v -> v.attempt().job()).collect(Collectors.toSet());
    // Prices change with time alone, and nobody decides anew for that.
    boolean earlier = note.get().decidedAtMillis() < now;
    unless(
        named.equals(best) || (earlier && wouldDo(choice, found, named)),
        "4.5",
        "%s (expected: %s) for %s",
        named,
        best,
        front.key());
  }

  private static boolean wouldDo(Choice choice, Acts.Found found, Set<JobKey> named) {
    List<Choice.Candidate> set =
        found.candidates().stream().filter(c -> c.isPlan() || named.contains(c.job())).toList();
    return choice.isFeasible(set);
  }

  private void judgeHold(PoolKey pool, long now) {
    Hold hold = rows.holds.get(pool);
    if (hold != null) {
      Job job = rows.jobs.get(hold.job());
      boolean front = Rules.fronts(rows, pool).stream().anyMatch(f -> f.key().equals(job.key()));
      Act act = front ? Acts.of(rows, pool, job, now).act() : Act.START;
      unless(act == Act.NOTHING || act == Act.UNKNOWN, "3e", "%s should not be held", hold);
    }
  }

  // Reasons

  private void judge(PoolKey pool, Job job, long now) {
    WaitingReason reason = job.waiting().reason();
    unless(job.waiting().sinceMillis() <= now, "7", "%s waits from the future on", job.key());
    Optional<WaitingReason> known = expected(pool, job);
    if (known.isPresent()) {
      unless(reason == known.get(), "7", "%s: %s (expected: %s)", job.key(), reason, known.get());
    } else {
      unless(isTrue(pool, job, reason, now), "7", "%s does not wait for %s", job.key(), reason);
    }
  }

  /** The reason, where it does not depend on what others hold. */
  private Optional<WaitingReason> expected(PoolKey pool, Job job) {
    QuotaShare share = rows.shares.get(job.share());
    if (rows.queues.get(pool.queue()).state() != AdminState.ENABLED) {
      return Optional.of(WaitingReason.QUEUE_DISABLED);
    }
    if (share.state() != AdminState.ENABLED) {
      return Optional.of(WaitingReason.SHARE_DISABLED);
    }
    Optional<WaitingReason> impossible = Rules.impossible(Facts.of(rows, pool), job);
    if (impossible.isPresent() && impossible.get() == WaitingReason.QUEUE_CAPACITY_EXCEEDED) {
      return impossible;
    }
    if (job.held()) {
      return Optional.of(WaitingReason.HELD);
    }
    if (impossible.isPresent()) {
      return impossible;
    }
    if (rows.planFor(job.key()).isPresent()) {
      return Optional.of(WaitingReason.WAITING_FOR_PREEMPTION);
    }
    boolean front =
        Rules.front(rows, pool, job.share()).filter(f -> f.key().equals(job.key())).isPresent();
    return front ? Optional.empty() : Optional.of(WaitingReason.BEHIND_FRONT_JOB);
  }

  private boolean isTrue(PoolKey pool, Job job, WaitingReason reason, long now) {
    Facts facts = Facts.of(rows, pool);
    Facts.Ledger after = facts.planned().plus(job.share(), job.gpus());
    boolean within = after.within(job.share());
    boolean borrows = Rules.mayBorrow(rows.shares.get(job.share()), job);
    return switch (reason) {
      case WAITING_FOR_NODES ->
          facts.total == 0
              || facts.places.values().stream().anyMatch(p -> !p.exists() && p.free > 0);
      case WAITING_FOR_MIN_RUNTIME -> {
        Act act = Acts.of(rows, pool, job, now).act();
        yield act == Act.WAITS_FOR_AGE || act == Act.UNKNOWN;
      }
      case OBSERVE_ONLY -> {
        Act act = Acts.of(rows, pool, job, now).act();
        yield act == Act.OBSERVE || (act == Act.UNKNOWN && rows.observesOnly(pool.queue()));
      }
      case SHARE_AT_LIMIT -> !within && !borrows;
      case BORROW_LIMIT_REACHED -> !within && borrows && !after.withinBorrowLimit(job.share());
      case NOTHING_TO_BORROW -> !within && borrows;
      case OVERCOMMITTED -> within && facts.sumCapacity() > facts.exists - facts.departing;
      case FRAGMENTED -> true;
      default -> false;
    };
  }
}
