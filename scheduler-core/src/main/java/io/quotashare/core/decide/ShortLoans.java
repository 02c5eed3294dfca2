package io.quotashare.core.decide;

import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.ShareState;
import io.quotashare.core.state.State;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Loans that would be taken back at once. A start that borrows puts its share above its limit, and
 * from then on every attempt of that share may be taken (quota-semantics 4.2 and 4.3). Where that
 * would give victims to a job of another share that has none, the job that borrows waits: it, or
 * another attempt of its share, would be stopped for nothing that has happened, and two jobs could
 * stop each other for ever (6.6). A job that is being stopped stands first in its share again once
 * it is gone, so it counts as if it were.
 */
final class ShortLoans {
  private final State state;
  private final Planner planner;

  ShortLoans(State state, Planner planner) {
    this.state = state;
    this.planner = planner;
  }

  /** Who would take back what a job could borrow now; empty if nobody, or if it could not. */
  Optional<Job> takenBackFor(Pool pool, Job borrower) {
    return Cover.allowsNow(pool, borrower, true)
        ? Holds.place(state, pool, borrower).flatMap(p -> takenBackFor(pool, borrower, p))
        : Optional.empty();
  }

  /** The same for a job that would start there. */
  Optional<Job> takenBackFor(Pool pool, Job borrower, SortedMap<String, Integer> places) {
    if (pool.queue().observesOnly()) {
      return Optional.empty();
    }
    Supposed loan = new Supposed(borrower, places);
    for (ShareState share : pool.shares().values()) {
      QuotaShare config = state.shares().get(share.key());
      boolean other = !share.key().equals(borrower.share());
      if (other && config.state() == AdminState.ENABLED && !share.line().isEmpty()) {
        Job first = state.job(share.line().first().job());
        if (planner.couldReclaim(pool, first, loan) && !planner.couldReclaim(pool, first, null)) {
          return Optional.of(first);
        }
      }
    }
    return Optional.empty();
  }
}
