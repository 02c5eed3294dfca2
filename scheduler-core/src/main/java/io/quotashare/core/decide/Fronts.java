package io.quotashare.core.decide;

import io.quotashare.core.ledger.Ledger;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.state.Front;
import io.quotashare.core.state.FrontOrder;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.Running;
import io.quotashare.core.state.ShareState;
import io.quotashare.core.state.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The front job of every share of a pool, in the order of quota-semantics 2. The orders are kept
 * from pass to pass; only shares of which something changed are looked at anew.
 */
final class Fronts {
  private final State state;
  private final ShortLoans shortLoans;

  Fronts(State state, ShortLoans shortLoans) {
    this.state = state;
    this.shortLoans = shortLoans;
  }

  /**
   * The front job of a share; empty if nobody waits, or a victim that has not stopped yet stands
   * first (2.2).
   */
  Optional<Job> front(ShareState share) {
    return state.lines().front(share);
  }

  private FrontOrder order(Pool pool) {
    FrontOrder order = pool.fronts();
    for (ShareState share : order.takeChanged()) {
      order.put(share.key(), of(pool, share));
    }
    return order;
  }

  /**
   * The front of a share as it is; null if it has none, or the share or the queue is not enabled.
   */
  private @Nullable Front of(Pool pool, ShareState share) {
    QuotaShare config = state.shares().get(share.key());
    Optional<Job> first = front(share);
    if (first.isEmpty()
        || config == null
        || config.state() != AdminState.ENABLED
        || pool.queue().state() != AdminState.ENABLED
        || !share.equals(pool.share(share.key()))) {
      return null;
    }
    Job job = first.get();
    Ledger planned = pool.planned();
    Running running = share.running();
    boolean stops = config.inSharePreemption() && running.hasCandidatesBelow(job.priority());
    int gpusAfterStops = job.gpus() - running.candidateGpusBelow(job.priority());
    return new Front(
        job,
        config,
        planned.use(share.key()),
        planned.capacity(share.key()),
        planned.withinLimit(share.key(), job.gpus()),
        stops && planned.withinLimit(share.key(), gpusAfterStops),
        stops);
  }

  /** The front of a share, if share and queue are enabled. */
  Optional<Front> of(Pool pool, ShareKey share) {
    return order(pool).of(share);
  }

  /** Fronts within their limit, earliest submitted first. */
  Collection<Front> bySubmission(Pool pool) {
    return order(pool).bySubmission();
  }

  /** Fronts of shares that backfill, by share. */
  Collection<Front> backfilling(Pool pool) {
    return order(pool).backfilling();
  }

  /**
   * Fronts within their limit, or that stopping own attempts would bring there and that cannot
   * borrow now: the share with the smallest use per limit first (2.1). Who could only start, and
   * finds no node with enough free devices, is left out.
   */
  Iterator<Front> underLimit(Pool pool) {
    FrontOrder order = order(pool);
    boolean mayReclaim = pool.planned().sumAbove() > 0;
    return order.within(
        mayReclaim ? Integer.MAX_VALUE : mostOnOneNode(pool), withinAfterStops(pool, order, false));
  }

  /** The others, in the order in which idle capacity is given to borrowers (2.3); likewise. */
  Iterator<Front> others(Pool pool) {
    FrontOrder order = order(pool);
    return order.beyond(mostOnOneNode(pool), withinAfterStops(pool, order, true));
  }

  private List<Front> withinAfterStops(Pool pool, FrontOrder order, boolean borrowing) {
    List<Front> result = new ArrayList<>();
    for (Front front : order.withinAfterStops()) {
      if (canBorrowNow(pool, front) == borrowing) {
        result.add(front);
      }
    }
    return result;
  }

  /** Bound of what a front may find free on one node, the hold being its own. */
  private static int mostOnOneNode(Pool pool) {
    int kept =
        pool.hold()
            .map(hold -> hold.places().values().stream().mapToInt(n -> n).max().orElse(0))
            .orElse(0);
    return pool.mostAvailable() + kept;
  }

  private boolean canBorrowNow(Pool pool, Front front) {
    Job job = front.job();
    return mayBorrow(front.share(), job)
        && !pool.borrowingBlocked()
        && Cover.allowsNow(pool, job, true)
        && Holds.place(state, pool, job).isPresent()
        && shortLoans.takenBackFor(pool, job).isEmpty();
  }

  /** Whether strategy and job allow borrowing at all. */
  static boolean mayBorrow(QuotaShare share, Job job) {
    return share.strategy().borrows() && job.spec().borrow() != BorrowMode.NEVER;
  }
}
