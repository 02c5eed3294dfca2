package io.quotashare.core.decide;

import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.WaitingReason;
import io.quotashare.core.preemption.Answer;
import io.quotashare.core.state.Front;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.State;
import io.quotashare.core.steps.Moves;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/*
 * One pass over a pool: the order of quota-semantics 2, with the steps of section 3 for each front job.
 *
 *   repeat until nothing changes:
 *     serve the plans (4.8)
 *     first half: fronts within their limit, or that stopping own attempts would bring there (2.1)
 *         a own -> b reclaim -> (c borrow) -> d in-share; after every success the order is looked at anew
 *     keep nodes for the earliest of those whose shape others hold within their limits (3e)
 *     second half: one of the other fronts, in the order of idle assignment (2.3), by c or d;
 *         if none can, one job behind a front that it does not delay, where the share backfills (2.4)
 *
 * Every success moves a job out of its share's line or makes a plan, and plans end only by starting, by passing to a job that
 * goes before, or by being void for a reason that stays; so the loop ends. A queue that only observes makes no plan that stops
 * somebody: whom it would stop is noted at the end, when nothing changes any more. Nothing here is remembered from pass to pass but
 * what stands in the rows: the same rows and the same instant give the same decisions.
 */
/** Decides about one pool until nothing is left to decide. */
public final class DecisionPass {
  private final State state;
  private final Moves moves;
  private final Fronts fronts;
  private final Planner planner;
  private final ShortLoans shortLoans;
  private final PlanServer planServer;
  private final Holds holds;
  private final Backfill backfill;
  private final Observer observer;
  private final WaitReasons reasons;

  /**
   * What came of the front jobs that could not start, for their reasons. One that was left out,
   * since it could only start and no node has enough free devices, has no victims if it is within
   * its limit.
   */
  private Map<JobKey, Tried> tried = new HashMap<>();

  /**
   * What came of trying to start a front job.
   *
   * @param acted it started, or a plan was made for it
   * @param noVictims within its limit, and no admissible set of victims exists (3e)
   * @param youngUntilMillis until when {@code minRuntime} protects its would-be victims; 0 if it
   *     does not wait for that
   * @param observed whom would be stopped for it, if the queue did not only observe; null if nobody
   * @param takenBackFor who would take back at once what it could borrow; null if nobody
   */
  record Tried(
      boolean acted,
      boolean noVictims,
      long youngUntilMillis,
      Answer.@Nullable Found observed,
      @Nullable Job takenBackFor) {
    static final Tried ACTED = new Tried(true, false, 0, null, null);
    static final Tried NOTHING = new Tried(false, false, 0, null, null);
    static final Tried NO_VICTIMS = new Tried(false, true, 0, null, null);

    static Tried waitsUntilOld(long untilMillis) {
      return new Tried(false, false, untilMillis, null, null);
    }

    static Tried wouldStop(Answer.Found found) {
      return new Tried(false, false, 0, found, null);
    }

    static Tried takenBackFor(Job owner) {
      return new Tried(false, false, 0, null, owner);
    }
  }

  public DecisionPass(State state, Moves moves) {
    this.state = state;
    this.moves = moves;
    Candidates candidates = new Candidates(state);
    this.planner = new Planner(state, moves, candidates);
    this.shortLoans = new ShortLoans(state, planner);
    this.fronts = new Fronts(state, shortLoans);
    this.planServer = new PlanServer(state, moves);
    this.holds = new Holds(state, fronts);
    this.backfill = new Backfill(state, moves, fronts, shortLoans);
    this.observer = new Observer(state);
    this.reasons = new WaitReasons(state, moves, fronts);
  }

  /**
   * Decides; returns when the pool is next due although nothing happens, {@link Long#MAX_VALUE} for
   * never.
   */
  public long decide(Pool pool) {
    long next = 0;
    while (next == 0) {
      pool.borrowingBlocked(false);
      boolean changed = true;
      while (changed) {
        holds.endUnlessFront(pool);
        changed = planServer.serve(pool);
        changed |= firstHalf(pool);
        // Others wait until all that the first half changed has been looked at anew.
        changed = changed || secondHalf(pool) || backfill.startOne(pool);
      }
      observer.note(pool, tried);
      next = Math.min(reasons.explain(pool, tried), youngest());
    }
    return next;
  }

  /** Decides nothing, and gives jobs that came meanwhile the reason for that. */
  public void holdBack(Pool pool, WaitingReason reason, String detail) {
    reasons.hold(pool, reason, detail);
  }

  private long youngest() {
    long until = Long.MAX_VALUE;
    for (Tried result : tried.values()) {
      until = result.youngUntilMillis == 0 ? until : Math.min(until, result.youngUntilMillis);
    }
    return until;
  }

  /**
   * Lets fronts within their limits act until none can; whether something else must be looked at
   * anew.
   */
  private boolean firstHalf(Pool pool) {
    boolean changed = false;
    boolean acted = true;
    while (acted) {
      acted = false;
      tried = new HashMap<>();
      holds.endUnlessFront(pool);
      Iterator<Front> underLimit = fronts.underLimit(pool);
      while (underLimit.hasNext() && !acted) {
        Front front = underLimit.next();
        Tried result = tryToStart(pool, front);
        acted = result.acted;
        if (!acted) {
          tried.put(front.job().key(), result);
        }
      }
      changed |= acted;
    }
    boolean blocked = tried.entrySet().stream().anyMatch(entry -> blocksBorrowing(pool, entry));
    if (blocked != pool.borrowingBlocked()) {
      pool.borrowingBlocked(blocked);
      changed = true;
    }
    return holds.update(pool, tried) || changed;
  }

  /**
   * While a front job within its limit waits for minRuntime, short loans could keep it out for ever
   * (4.6). Where nobody will be stopped for it, nothing is held back from others for it either.
   */
  private boolean blocksBorrowing(Pool pool, Map.Entry<JobKey, Tried> entry) {
    Job job = state.job(entry.getKey());
    return entry.getValue().youngUntilMillis > 0
        && !pool.queue().observesOnly()
        && pool.planned().withinLimit(job.share(), job.gpus());
  }

  private boolean secondHalf(Pool pool) {
    Iterator<Front> others = fronts.others(pool);
    while (others.hasNext()) {
      Front front = others.next();
      Tried result = tryToStart(pool, front);
      if (result.acted) {
        return true;
      }
      tried.put(front.job().key(), result);
    }
    return false;
  }

  /** The steps of quota-semantics 3, in their order. */
  private Tried tryToStart(Pool pool, Front front) {
    Job job = front.job();
    boolean within = pool.planned().withinLimit(job.share(), job.gpus());
    boolean borrows = !within && mayBorrow(pool, front);
    if (startsAsOwn(pool, front, within)) {
      return Tried.ACTED;
    }
    Optional<Job> owner = borrows ? shortLoans.takenBackFor(pool, job) : Optional.empty();
    if (borrows && owner.isEmpty() && starts(pool, job, true)) {
      return Tried.ACTED;
    }
    if (within && pool.planned().sumAbove() > 0) {
      Answer answer = planner.reclaim(pool, job);
      if (!(answer instanceof Answer.None)) {
        return follow(pool, job, answer);
      }
    }
    Answer answer =
        front.share().inSharePreemption() ? planner.inShare(pool, front) : new Answer.None();
    if (answer instanceof Answer.None) {
      return within ? Tried.NO_VICTIMS : owner.map(Tried::takenBackFor).orElse(Tried.NOTHING);
    }
    return follow(pool, job, answer);
  }

  private Tried follow(Pool pool, Job job, Answer answer) {
    if (answer instanceof Answer.Found found) {
      if (pool.queue().observesOnly() && Observer.stopsSomebody(found)) {
        return Tried.wouldStop(found);
      }
      planner.carryOut(pool, job, found);
      return Tried.ACTED;
    }
    return answer instanceof Answer.OnlyYoung young
        ? Tried.waitsUntilOld(young.untilMillis())
        : Tried.NOTHING;
  }

  /** Step a, with what it says of a NEVER job among loans of lower priority (3c). */
  private boolean startsAsOwn(Pool pool, Front front, boolean within) {
    Job job = front.job();
    boolean amongLoans =
        !within
            && job.spec().borrow() == BorrowMode.NEVER
            && front.share().inSharePreemption()
            && pool.planned()
                .withinLimit(job.share(), job.gpus() - Candidates.lowerLoansGpus(pool, job));
    return (within || amongLoans) && starts(pool, job, amongLoans);
  }

  /** Whether step c is open to a job; one within its limit has nothing to borrow. */
  private static boolean mayBorrow(Pool pool, Front front) {
    return Fronts.mayBorrow(front.share(), front.job()) && !pool.borrowingBlocked();
  }

  private boolean starts(Pool pool, Job job, boolean mayBorrow) {
    if (!Cover.allowsNow(pool, job, mayBorrow)) {
      return false;
    }
    Optional<SortedMap<String, Integer>> places = Holds.place(state, pool, job);
    if (places.isEmpty()) {
      return false;
    }
    moves.start(job, places.get());
    if (pool.hold().filter(hold -> hold.job().equals(job.key())).isPresent()) {
      state.putHold(pool, null);
    }
    return true;
  }
}
