package io.quotashare.core.decide;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.preemption.Candidate;
import io.quotashare.core.preemption.Price;
import io.quotashare.core.state.NodeSlots;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.Running;
import io.quotashare.core.state.ShareState;
import io.quotashare.core.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who may be taken so that a job can start (quota-semantics 4.2 and 5.1), and at what price (4.5
 * iii).
 */
final class Candidates {
  private final State state;

  Candidates(State state) {
    this.state = state;
  }

  /** What shares above their limit hold: their plans, and their attempts. */
  List<Candidate> ofOthers(Pool pool, ShareKey beneficiary) {
    return ofOthers(pool, beneficiary, null);
  }

  /** The same after a start that is only supposed. */
  List<Candidate> ofOthers(Pool pool, ShareKey beneficiary, @Nullable Supposed supposed) {
    List<Candidate> result = new ArrayList<>();
    for (ShareState share : pool.shares().values()) {
      if (!share.key().equals(beneficiary) && above(pool, share.key(), supposed) > 0) {
        boolean sparesNever = share.running().neverGpus() <= pool.planned().capacity(share.key());
        for (Running.Entry entry : share.running().all()) {
          boolean spared = sparesNever && entry.job().spec().borrow() == BorrowMode.NEVER;
          if (entry.attempt().state().isCandidate() && !spared) {
            result.add(candidate(pool, entry.job(), entry.attempt()));
          }
        }
      }
    }
    for (Plan plan : state.plansOf(pool.key())) {
      if (!plan.share().equals(beneficiary) && above(pool, plan.share(), supposed) > 0) {
        result.add(candidate(plan));
      }
    }
    if (supposed != null
        && !supposed.share().equals(beneficiary)
        && above(pool, supposed.share(), supposed) > 0) {
      result.add(candidate(supposed));
    }
    return result;
  }

  /** Devices that a share uses above its limit, with what is only supposed to start. */
  static int above(Pool pool, ShareKey share, @Nullable Supposed supposed) {
    int more = supposed != null && supposed.share().equals(share) ? supposed.gpus() : 0;
    return Math.max(0, pool.planned().use(share) + more - pool.planned().capacity(share));
  }

  /** Own attempts of strictly lower priority. */
  List<Candidate> ofOwnShare(Pool pool, Job job) {
    List<Candidate> result = new ArrayList<>();
    pool.share(job.share())
        .running()
        .forEachCandidateBelow(
            job.priority(), entry -> result.add(candidate(pool, entry.job(), entry.attempt())));
    return result;
  }

  /** Devices of all own attempts of strictly lower priority. */
  static int ownGpus(Pool pool, Job job) {
    return pool.share(job.share()).running().candidateGpusBelow(job.priority());
  }

  /**
   * Devices of the share's planned attempts that are of lower priority and may go on as loans
   * (quota-semantics 3c).
   */
  static int lowerLoansGpus(Pool pool, Job job) {
    return pool.share(job.share()).running().loanGpusBelow(job.priority());
  }

  private static Candidate candidate(Plan plan) {
    return new Candidate(
        Candidate.Kind.PLAN,
        plan.beneficiary(),
        plan.share(),
        0,
        plan.places(),
        plan.gpus(),
        0,
        0,
        plan.decidedAtMillis());
  }

  /** Whether it can be taken is asked, not whether it is the cheapest, so it has no price. */
  private Candidate candidate(Supposed supposed) {
    long minRuntime = state.shares().get(supposed.share()).minRuntimeMillis();
    return new Candidate(
        Candidate.Kind.ATTEMPT,
        supposed.job().key(),
        supposed.share(),
        supposed.job().priority(),
        supposed.places(),
        supposed.gpus(),
        minRuntime == 0 ? 0 : state.now() + minRuntime,
        0,
        state.now());
  }

  private Candidate candidate(Pool pool, Job job, Attempt attempt) {
    QuotaShare share = state.shares().get(attempt.share());
    SortedMap<String, Integer> freed = new TreeMap<>();
    for (Part part : attempt.parts()) {
      NodeSlots slots = pool.nodes().get(part.node());
      if (!part.phase().isFree() && slots != null && slots.node().takesWork()) {
        freed.merge(part.node(), slots.startable(part.devices()), Integer::sum);
      }
    }
    return new Candidate(
        Candidate.Kind.ATTEMPT,
        job.key(),
        attempt.share(),
        job.priority(),
        freed,
        attempt.heldGpus(),
        share.minRuntimeMillis() == 0 ? 0 : attempt.scheduledAtMillis() + share.minRuntimeMillis(),
        Price.deviceMillis(pool.queue(), job, attempt, state.now()),
        attempt.scheduledAtMillis());
  }
}
