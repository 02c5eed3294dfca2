package io.quotashare.core.decide;

import io.quotashare.core.LoanVictim;
import io.quotashare.core.QueueView.LoanView;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Checkpoint;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Launch;
import io.quotashare.core.model.Loan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.preemption.Answer;
import io.quotashare.core.preemption.Candidate;
import io.quotashare.core.preemption.Price;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.State;
import io.quotashare.core.steps.Moves;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Whom a loan could cost: the victims of a job of the lender that asked for all of its devices now.
 * The reclaim itself is asked (quota-semantics 4), with its bounds, and nobody is stopped.
 */
public final class LoanVictims {
  private final State state;
  private final Planner planner;

  public LoanVictims(State state, Moves moves) {
    this.state = state;
    this.planner = new Planner(state, moves, new Candidates(state));
  }

  /** Whom it would stop, in the order of 4.5; empty if it need stop nobody, or could not start. */
  public List<LoanVictim> of(String queue, LoanView loan) {
    Pool pool = state.pools().get(new PoolKey(queue, loan.unit()));
    QuotaShare lender = state.shares().get(new ShareKey(queue, loan.lender()));
    boolean takesJobs =
        pool != null
            && lender != null
            && lender.state() == AdminState.ENABLED
            && pool.queue().state() == AdminState.ENABLED;
    if (!takesJobs || loan.lender().equals(Loan.UNASSIGNED)) {
      return List.of();
    }
    Job job = job(pool, loan);
    boolean reclaims =
        pool.planned().withinLimit(lender.key(), job.gpus())
            && pool.planned().sumAbove() > 0
            && !startsAtOnce(pool, job);
    Answer answer = reclaims ? planner.reclaim(pool, job) : new Answer.None();
    return answer instanceof Answer.Found found ? victims(pool, found) : List.of();
  }

  private boolean startsAtOnce(Pool pool, Job job) {
    return Cover.allowsNow(pool, job, false) && Holds.place(state, pool, job).isPresent();
  }

  /** A job that goes before all others of its share. */
  private Job job(Pool pool, LoanView loan) {
    JobSpec spec =
        new JobSpec(
            loan.lender(),
            "",
            shape(pool, loan.gpus()),
            loan.unit(),
            Launch.NOTHING,
            new TreeMap<>(),
            OptionalLong.empty(),
            JobSpec.DEFAULT_GRACE_MILLIS,
            new JobSpec.LostAfter.Default(),
            OptionalLong.empty(),
            false,
            0,
            new RetryOn.Any(),
            OptionalInt.empty(),
            BorrowMode.NEVER,
            false);
    JobKey nobody = new JobKey(pool.key().queue(), "");
    return Job.submitted(nobody, spec, JobSpec.MAX_PRIORITY, Long.MAX_VALUE, state.now());
  }

  /**
   * As few nodes as hold that many devices in equal parts; where no number of nodes does, the most
   * that equal parts on the fewest nodes make.
   */
  private static Shape shape(Pool pool, int gpus) {
    int largest = Math.max(1, Math.min(pool.largestNode(), Shape.MAX_GPUS_PER_NODE));
    int fewest = Math.min(Shape.MAX_NODES, (gpus + largest - 1) / largest);
    for (int nodes = fewest; nodes <= Math.min(gpus, Shape.MAX_NODES); nodes++) {
      if (gpus % nodes == 0 && pool.nodesWithAtLeast(gpus / nodes) >= nodes) {
        return new Shape(nodes, gpus / nodes);
      }
    }
    return new Shape(fewest, Math.min(largest, gpus / fewest));
  }

  private List<LoanVictim> victims(Pool pool, Answer.Found found) {
    List<LoanVictim> result = new ArrayList<>();
    for (Candidate victim : found.victims()) {
      if (victim.kind() == Candidate.Kind.ATTEMPT) {
        Job job = state.job(victim.job());
        Attempt attempt = state.liveAttempt(victim.job()).orElseThrow();
        Checkpoint own = attempt.progress().checkpoint();
        Checkpoint newest = own == null ? job.checkpoint() : own;
        result.add(
            new LoanVictim(
                victim.job(),
                attempt.heldGpus(),
                newest == null ? OptionalLong.empty() : OptionalLong.of(newest.stateAtMillis()),
                Price.lostDeviceMillis(pool.queue(), job, attempt, state.now())));
      }
    }
    return result;
  }
}
