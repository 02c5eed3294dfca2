package io.quotashare.core.property;

import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Strategy;
import io.quotashare.core.model.Unassigned;
import io.quotashare.core.model.WaitingReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Sections 2, 3 and 7 of quota-semantics as questions about rows. */
final class Rules {
  /** By what step of section 3 a job could start now. */
  enum Step {
    /** Step a. */
    OWN,
    /** Step a of a {@code borrow: NEVER} job whose share's lower loans go on (3c). */
    BESIDE_LOANS,
    /** Step c. */
    BORROW,
    /** Neither. */
    NONE
  }

  private Rules() {}

  // Order (2)

  /** Jobs that stand in the order of a share: those that may be its front, and leaving victims. */
  static List<Job> line(Mirror rows, PoolKey pool, ShareKey share) {
    return rows.once(List.of("line", pool, share), () -> newLine(rows, pool, share));
  }

  private static List<Job> newLine(Mirror rows, PoolKey pool, ShareKey share) {
    Facts facts = Facts.of(rows, pool);
    List<Job> line = new ArrayList<>();
    for (Job job : rows.jobs.values()) {
      boolean here = job.share().equals(share) && job.pool().equals(pool);
      boolean victim = job.state() == JobState.PREEMPTING && queuesAgain(rows, job);
      if (here
          && (job.state().isWaiting() || victim)
          && !job.held()
          && impossible(facts, job).isEmpty()
          && rows.planFor(job.key()).isEmpty()) {
        line.add(job);
      }
    }
    line.sort(order());
    return line;
  }

  /** Order inside a share (2.2). */
  static Comparator<Job> order() {
    return Comparator.comparingInt(Job::priority).reversed().thenComparingLong(Job::sequence);
  }

  /** Front job of a share that may start; empty if a leaving victim stands first. */
  static Optional<Job> front(Mirror rows, PoolKey pool, ShareKey share) {
    return line(rows, pool, share).stream().findFirst().filter(job -> job.state().isWaiting());
  }

  /** Front jobs of all enabled shares of an enabled queue. */
  static List<Job> fronts(Mirror rows, PoolKey pool) {
    List<Job> fronts = new ArrayList<>();
    for (QuotaShare share : rows.sharesOf(pool)) {
      if (isEnabled(rows, pool, share)) {
        front(rows, pool, share.key()).ifPresent(fronts::add);
      }
    }
    return fronts;
  }

  static boolean isEnabled(Mirror rows, PoolKey pool, QuotaShare share) {
    return share.state() == AdminState.ENABLED
        && rows.queues.get(pool.queue()).state() == AdminState.ENABLED;
  }

  /** Whether a victim waits again once it has stopped (6.4). */
  static boolean queuesAgain(Mirror rows, Job job) {
    boolean counts =
        rows.liveOf(job.key())
            .map(Attempt::stop)
            .map(stop -> stop.cause().usesBudget())
            .orElse(false);
    return !counts
        || job.spec().preemptionRetries().isEmpty()
        || job.preemptions() + 1 <= job.spec().preemptionRetries().getAsInt();
  }

  // Reasons that cannot pass by themselves (7)

  static Optional<WaitingReason> impossible(Facts facts, Job job) {
    Shape shape = job.spec().shape();
    Facts.Use use = facts.uses.get(job.share());
    boolean borrows = mayBorrow(use.share, job);
    boolean seen = facts.total > 0;
    if (seen && shape.total() > facts.total) {
      return Optional.of(WaitingReason.QUEUE_CAPACITY_EXCEEDED);
    }
    if (!borrows && shape.total() > use.c) {
      return Optional.of(WaitingReason.SHARE_LIMIT_EXCEEDED);
    }
    if (shape.total() > use.c + use.borrowLimit) {
      return Optional.of(WaitingReason.BORROW_LIMIT_EXCEEDED);
    }
    if (seen && shape.total() > use.c && shape.total() > use.c + lendable(facts, use)) {
      return Optional.of(WaitingReason.NOT_LENDABLE);
    }
    long large = facts.places.values().stream().filter(p -> p.total >= shape.gpusPerNode()).count();
    if (seen && large < shape.nodes()) {
      return Optional.of(WaitingReason.NO_NODE_FITS);
    }
    return Optional.empty();
  }

  private static long lendable(Facts facts, Facts.Use borrower) {
    long sum =
        facts.queue.unassigned() == Unassigned.BORROWABLE
            ? Math.max(0, facts.total - facts.sumCapacity())
            : 0;
    for (Facts.Use use : facts.uses.values()) {
      sum += use == borrower ? 0 : use.lendLimit;
    }
    return sum;
  }

  // Starting (3)

  /** Whether share and job allow borrowing at all. */
  static boolean mayBorrow(QuotaShare share, Job job) {
    return share.strategy() == Strategy.LEND_AND_BORROW && job.spec().borrow() != BorrowMode.NEVER;
  }

  static boolean isWithin(Facts facts, Job job) {
    return facts.planned().plus(job.share(), job.gpus()).within(job.share());
  }

  /** The step by which a front job could start now, minRuntime of others left aside. */
  static Step step(Mirror rows, PoolKey pool, Job job) {
    Facts facts = Facts.of(rows, pool, job);
    return facts.sitsNow(job.spec().shape()) ? chargedAs(rows, facts, job) : Step.NONE;
  }

  /** The same without a look at the nodes. */
  static Step chargedAs(Mirror rows, Facts facts, Job job) {
    QuotaShare share = facts.uses.get(job.share()).share;
    boolean within = isWithin(facts, job);
    Facts.Ledger held = facts.held();
    boolean heldHolds =
        charges(held, job, true, held.missing()) && (within || leavesNothingMissing(held, job));
    if (!heldHolds) {
      return Step.NONE;
    }
    Facts.Ledger planned = facts.planned();
    if (within) {
      return charges(planned, job, false, planned.missing()) ? Step.OWN : Step.NONE;
    }
    boolean beside =
        job.spec().borrow() == BorrowMode.NEVER
            && share.inSharePreemption()
            && planned.use(job.share()) - lowerLoans(rows, facts.pool, job) + job.gpus()
                <= facts.uses.get(job.share()).c;
    if ((beside || mayBorrow(share, job)) && charges(planned, job, true, 0)) {
      return beside ? Step.BESIDE_LOANS : Step.BORROW;
    }
    return Step.NONE;
  }

  private static boolean leavesNothingMissing(Facts.Ledger ledger, Job job) {
    return ledger.plus(job.share(), job.gpus()).missing() == 0;
  }

  /** Whether limits and cover of one ledger allow the job (I3, I4). */
  static boolean charges(Facts.Ledger before, Job job, boolean mayBorrow, int tolerated) {
    Facts.Ledger after = before.plus(job.share(), job.gpus());
    if (after.within(job.share())) {
      return after.missing() <= tolerated;
    }
    return mayBorrow && after.withinBorrowLimit(job.share()) && after.missing() == 0;
  }

  private static int lowerLoans(Mirror rows, PoolKey pool, Job job) {
    int sum = 0;
    for (Attempt attempt : rows.liveIn(pool)) {
      Job other = rows.jobs.get(attempt.key().job());
      if (attempt.share().equals(job.share())
          && attempt.isPlanned()
          && other.priority() < job.priority()
          && other.spec().borrow() != BorrowMode.NEVER) {
        sum += attempt.heldGpus();
      }
    }
    return sum;
  }
}
