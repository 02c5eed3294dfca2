package io.quotashare.core.view;

import io.quotashare.core.QueueView;
import io.quotashare.core.UsageReport;
import io.quotashare.core.ledger.Ledger;
import io.quotashare.core.model.Loan;
import io.quotashare.core.model.PoolMeter;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.ShareState;
import io.quotashare.core.state.State;
import io.quotashare.core.state.UsageAccounts;
import java.util.ArrayList;
import java.util.List;

/** Builds the views of a queue. */
public final class Views {
  private final State state;

  public Views(State state) {
    this.state = state;
  }

  /** The queue at this instant. */
  public QueueView queue(String name) {
    List<QueueView.PoolView> pools = new ArrayList<>();
    List<QueueView.FrontView> fronts = new ArrayList<>();
    List<QueueView.LoanView> loans = new ArrayList<>();
    List<QueueView.ShareView> shares = shares(name);
    for (Pool pool : state.poolsOf(name)) {
      if (isOfUse(pool, shares)) {
        pools.add(pool.view());
      }
      for (ShareState share : pool.shares().values()) {
        state
            .lines()
            .front(share)
            .ifPresent(
                job ->
                    fronts.add(
                        new QueueView.FrontView(share.key().share(), pool.key().unit(), job)));
      }
      for (Loan loan : pool.loans().loans()) {
        loans.add(
            new QueueView.LoanView(
                loan.lender(),
                loan.borrower(),
                pool.key().unit(),
                loan.gpus(),
                loan.sinceMillis()));
      }
    }
    return new QueueView(state.queues().get(name), pools, shares, fronts, loans);
  }

  /**
   * A pool is kept when its unit is gone with the last share that owned it or the last job that
   * asked for it. That it was made before must not show.
   */
  private static boolean isOfUse(Pool pool, List<QueueView.ShareView> shares) {
    String unit = pool.key().unit();
    return pool.totalDevices() > 0
        || shares.stream()
            .anyMatch(
                view ->
                    view.share().capacity().containsKey(unit)
                        || view.units().stream().anyMatch(use -> use.unit().equals(unit)));
  }

  private List<QueueView.ShareView> shares(String queue) {
    List<Pool> pools = state.poolsOf(queue);
    return state.sharesOf(queue).stream().map(share -> share(share, pools)).toList();
  }

  /** One share at this instant. */
  public QueueView.ShareView share(QuotaShare share) {
    return share(share, state.poolsOf(share.key().queue()));
  }

  private static QueueView.ShareView share(QuotaShare share, List<Pool> pools) {
    List<QueueView.UnitView> units = new ArrayList<>();
    for (Pool pool : pools) {
      QueueView.UnitView unit = unit(pool, share);
      if (unit.limit() > 0 || unit.used() > 0 || unit.waitingJobs() > 0) {
        units.add(unit);
      }
    }
    return new QueueView.ShareView(share, units);
  }

  private static QueueView.UnitView unit(Pool pool, QuotaShare share) {
    Ledger held = pool.held();
    int limit = held.capacity(share.key());
    int used = held.use(share.key());
    int own = Math.min(used, limit);
    int lent = Math.min(limit - own, pool.loans().lentBy(share.key().share()));
    ShareState waiting = pool.share(share.key());
    return new QueueView.UnitView(
        pool.key().unit(),
        limit,
        used,
        own,
        held.borrowed(share.key()),
        held.over(share.key()),
        lent,
        limit - own - lent,
        waiting.waitingJobs(),
        waiting.waitingGpus());
  }

  /** Where every device-second of the queue went, up to now. */
  public UsageReport usage(String queue) {
    List<PoolMeter> pools = new ArrayList<>();
    List<UsageReport.ShareUse> shares = new ArrayList<>();
    for (Pool pool : state.poolsOf(queue)) {
      pools.add(pool.meter().totalAt(state.now()));
      shares.addAll(UsageAccounts.of(state, pool));
    }
    return new UsageReport(pools, shares, state.futilePreemptions());
  }
}
