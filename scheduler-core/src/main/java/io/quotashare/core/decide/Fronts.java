package io.quotashare.core.decide;

import io.quotashare.core.ledger.Ledger;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.IdleAssignment;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.ShareState;
import io.quotashare.core.state.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The front job of every share of a pool, in the order of quota-semantics 2. */
final class Fronts {
  /**
   * A front job.
   *
   * @param job the job
   * @param share its share
   */
  record Front(Job job, QuotaShare share) {}

  private final State state;

  Fronts(State state) {
    this.state = state;
  }

  /**
   * The front job of a share; empty if nobody waits, or a victim that has not stopped yet stands
   * first (2.2).
   */
  Optional<Job> front(ShareState share) {
    return state.lines().front(share);
  }

  /** All fronts of enabled shares of an enabled queue. */
  List<Front> all(Pool pool) {
    List<Front> fronts = new ArrayList<>();
    if (pool.queue().state() != AdminState.ENABLED) {
      return fronts;
    }
    for (ShareState share : pool.shares().values()) {
      QuotaShare config = state.shares().get(share.key());
      if (config.state() == AdminState.ENABLED) {
        front(share).ifPresent(job -> fronts.add(new Front(job, config)));
      }
    }
    return fronts;
  }

  /**
   * Fronts within their limit, or that stopping own attempts would bring there and that cannot
   * borrow now: the share with the smallest use per limit first (2.1).
   */
  List<Front> underLimit(Pool pool, List<Front> fronts) {
    List<Front> result = new ArrayList<>();
    for (Front front : fronts) {
      if (isUnderLimit(pool, front)) {
        result.add(front);
      }
    }
    Ledger planned = pool.planned();
    // U / C as a cross product: no share with C = 0 is under its limit.
    Comparator<Front> byFill =
        (a, b) ->
            Long.compare(
                (long) planned.use(a.share().key()) * planned.capacity(b.share().key()),
                (long) planned.use(b.share().key()) * planned.capacity(a.share().key()));
    result.sort(byFill.thenComparing(Fronts::bySubmission));
    return result;
  }

  private boolean isUnderLimit(Pool pool, Front front) {
    Job job = front.job();
    if (pool.planned().withinLimit(job.share(), job.gpus())) {
      return true;
    }
    if (!front.share().inSharePreemption() || canBorrowNow(pool, front)) {
      return false;
    }
    return pool.planned().withinLimit(job.share(), job.gpus() - Candidates.ownGpus(pool, job));
  }

  private boolean canBorrowNow(Pool pool, Front front) {
    Job job = front.job();
    return mayBorrow(front)
        && !pool.borrowingBlocked()
        && Cover.allowsNow(pool, job, true)
        && Holds.place(state, pool, job).isPresent();
  }

  /** Whether strategy and job allow borrowing at all. */
  static boolean mayBorrow(Front front) {
    return front.share().strategy().borrows() && front.job().spec().borrow() != BorrowMode.NEVER;
  }

  /** The others, in the order in which idle capacity is given to borrowers (2.3). */
  List<Front> others(Pool pool, List<Front> fronts, List<Front> underLimit) {
    List<Front> result = new ArrayList<>(fronts);
    result.removeAll(underLimit);
    if (pool.queue().idleAssignment() == IdleAssignment.FAIR) {
      Ledger planned = pool.planned();
      // above / weight as a cross product.
      Comparator<Front> byShare =
          (a, b) ->
              Long.compare(
                  (long) planned.above(a.share().key()) * b.share().weight(),
                  (long) planned.above(b.share().key()) * a.share().weight());
      result.sort(byShare.thenComparing(Fronts::bySubmission));
    } else {
      result.sort(Fronts::bySubmission);
    }
    return result;
  }

  /** Earlier submission first; the sequence is unique, so names never decide. */
  private static int bySubmission(Front a, Front b) {
    return Long.compare(a.job().sequence(), b.job().sequence());
  }
}
