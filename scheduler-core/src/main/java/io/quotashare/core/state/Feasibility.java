package io.quotashare.core.state;

import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.WaitingReason;
import java.util.Optional;

/**
 * Whether a job could ever run as its queue is configured (quota-semantics 7, the reasons that
 * cannot pass by themselves), judged against all nodes ever registered and not removed. Of a unit
 * that was never seen nothing is known about devices.
 */
public final class Feasibility {
  /**
   * Why a job can never run.
   *
   * @param reason a permanent reason
   * @param detail one sentence with the numbers
   * @param exceeded the number that is exceeded, in devices or nodes
   */
  public record Impossible(WaitingReason reason, String detail, long exceeded) {}

  private Feasibility() {}

  /** Why the job can never run; empty if it could. */
  public static Optional<Impossible> impossible(Pool pool, QuotaShare share, JobSpec spec) {
    String unit = spec.unit();
    int gpus = spec.shape().total();
    int capacity = share.capacity(unit);
    int devices = pool.totalDevices();
    String name = share.key().share();
    if (devices > 0 && gpus > devices) {
      return impossible(
          WaitingReason.QUEUE_CAPACITY_EXCEEDED,
          devices,
          "asks for %d %s, and queue %s has %d in all",
          gpus,
          unit,
          pool.key().queue(),
          devices);
    }
    boolean borrows = share.strategy().borrows() && spec.borrow() != BorrowMode.NEVER;
    if (!borrows && gpus > capacity) {
      String why =
          share.strategy().borrows()
              ? "the job may not borrow (borrow: NEVER)"
              : share.strategy() + " never borrows";
      return impossible(
          WaitingReason.SHARE_LIMIT_EXCEEDED,
          capacity,
          "asks for %d %s, the limit of share %s is %d, and %s",
          gpus,
          unit,
          name,
          capacity,
          why);
    }
    int borrowLimit = share.borrowLimit(unit);
    if (borrows && borrowLimit != Limit.UNLIMITED && gpus > (long) capacity + borrowLimit) {
      return impossible(
          WaitingReason.BORROW_LIMIT_EXCEEDED,
          (long) capacity + borrowLimit,
          "asks for %d %s, and share %s may use %d: its limit %d plus its borrow limit %d",
          gpus,
          unit,
          name,
          (long) capacity + borrowLimit,
          capacity,
          borrowLimit);
    }
    long most = (long) capacity + pool.lendLimitsOfOthers(share) + pool.borrowableUnowned();
    if (devices > 0 && gpus > capacity && gpus > most) {
      return impossible(
          WaitingReason.NOT_LENDABLE,
          most,
          "asks for %d %s, and share %s could get %d at most: its limit %d, %d that others may lend, %d unassigned",
          gpus,
          unit,
          name,
          most,
          capacity,
          pool.lendLimitsOfOthers(share),
          pool.borrowableUnowned());
    }
    int nodes = pool.nodesWithAtLeast(spec.shape().gpusPerNode());
    if (devices > 0 && nodes < spec.shape().nodes()) {
      return impossible(
          WaitingReason.NO_NODE_FITS,
          nodes,
          "needs %s with %d %s; of these queue %s has %s, and its largest node has %d",
          spec.shape().nodes() == 1 ? "a node" : spec.shape().nodes() + " nodes",
          spec.shape().gpusPerNode(),
          unit,
          pool.key().queue(),
          nodes == 0 ? "none" : nodes,
          pool.largestNode());
    }
    return Optional.empty();
  }

  private static Optional<Impossible> impossible(
      WaitingReason reason, long exceeded, String format, Object... args) {
    return Optional.of(new Impossible(reason, String.format(format, args), exceeded));
  }
}
