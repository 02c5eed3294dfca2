package io.quotashare.core;

import io.quotashare.core.model.Job;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import java.util.List;

/**
 * What people are shown of a queue at one instant; numbers are devices held ({@code held},
 * quota-semantics 1).
 *
 * @param queue as configured
 * @param pools one a capacity unit, by name
 * @param shares by name
 * @param fronts the front job of every share and unit that has one
 * @param loans who lends what to whom, by unit, lender, borrower
 */
public record QueueView(
    Queue queue,
    List<PoolView> pools,
    List<ShareView> shares,
    List<FrontView> fronts,
    List<LoanView> loans) {
  public QueueView {
    pools = List.copyOf(pools);
    shares = List.copyOf(shares);
    fronts = List.copyOf(fronts);
    loans = List.copyOf(loans);
  }

  /**
   * Devices of a pool; {@code total} is the sum of the others but {@code overcommitted}.
   *
   * @param overcommitted devices guaranteed beyond what exists (quota-semantics 9.4)
   */
  public record PoolView(
      String unit,
      int total,
      int held,
      int heldForBeneficiary,
      int reservedIdle,
      int free,
      int outside,
      int unhealthy,
      int overcommitted) {}

  /** A share with its use of every unit that it owns, uses or waits for. */
  public record ShareView(QuotaShare share, List<UnitView> units) {
    public ShareView {
      units = List.copyOf(units);
    }
  }

  /** Use of one unit: used = own + borrowed + over; limit = own + lent + idle. */
  public record UnitView(
      String unit,
      int limit,
      int used,
      int own,
      int borrowed,
      int over,
      int lent,
      int idle,
      int waitingJobs,
      int waitingGpus) {}

  /** The front job of a share and unit. */
  public record FrontView(String share, String unit, Job job) {}

  /**
   * A loan.
   *
   * @param lender share id, or {@code (unassigned)}
   * @param sinceMillis since when the lender lends to the borrower without a break
   */
  public record LoanView(String lender, String borrower, String unit, int gpus, long sinceMillis) {}
}
