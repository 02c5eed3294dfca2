package io.quotashare.core.state;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.PoolKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Files jobs into the lines of their shares, and remembers whose waiting reason may have changed.
 */
public final class Lines {
  private final State state;
  private final Map<PoolKey, SortedSet<JobKey>> unexplained = new HashMap<>();

  Lines(State state) {
    this.state = state;
  }

  void file(Pool pool, Job job) {
    ShareState share = pool.share(job.share());
    ShareState.Turn turn = ShareState.Turn.of(job);
    if (job.state().isWaiting()) {
      share.waitingJobs++;
      share.waitingGpus += job.gpus();
    }
    if (job.state().isWaiting()) {
      explainLater(pool, job.key());
    }
    boolean stands =
        job.state().isWaiting() || (job.state() == JobState.PREEMPTING && queuesAgain(job));
    if (!stands || state.planFor(job.key()).isPresent()) {
      return;
    }
    pool.changed(share);
    if (job.held() || Feasibility.impossible(pool, state.shareOf(job), job.spec()).isPresent()) {
      share.aside.add(turn);
    } else {
      share.line.add(turn);
    }
  }

  /**
   * Whether a victim stands in its share's order again once it has stopped (quota-semantics 2.2 and
   * 6.4).
   */
  public boolean queuesAgain(Job job) {
    boolean counts =
        state
            .liveAttempt(job.key())
            .map(Attempt::stop)
            .map(stop -> stop.cause().usesBudget())
            .orElse(false);
    return !counts
        || job.spec().preemptionRetries().isEmpty()
        || job.preemptions() < job.spec().preemptionRetries().getAsInt();
  }

  /**
   * The front job of a share; empty if nobody waits, or a victim that has not stopped yet stands
   * first (quota-semantics 2.2).
   */
  public Optional<Job> front(ShareState share) {
    if (share.line().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(share.line().first().row()).filter(job -> job.state().isWaiting());
  }

  /** Takes the waiting jobs of a pool whose reason may have changed since the last call. */
  public SortedSet<JobKey> takeUnexplained(Pool pool) {
    SortedSet<JobKey> taken = unexplained.remove(pool.key());
    return taken == null ? new TreeSet<>() : taken;
  }

  /** Asks for the reason of a waiting job at the next explanation. */
  public void explainLater(Pool pool, JobKey job) {
    unexplained.computeIfAbsent(pool.key(), key -> new TreeSet<>()).add(job);
  }

  /** Asks for the reasons of all waiting jobs of a pool, beneficiaries of plans included. */
  void explainAll(Pool pool) {
    for (ShareState share : pool.shares().values()) {
      share.line.forEach(turn -> explainLater(pool, turn.job()));
      share.aside.forEach(turn -> explainLater(pool, turn.job()));
    }
    state.plansOf(pool.key()).forEach(plan -> explainLater(pool, plan.beneficiary()));
  }

  void unfile(Pool pool, Job job) {
    ShareState share = pool.share(job.share());
    ShareState.Turn turn = ShareState.Turn.of(job);
    pool.changed(share);
    share.line.remove(turn);
    share.aside.remove(turn);
    if (job.state().isWaiting()) {
      share.waitingJobs--;
      share.waitingGpus -= job.gpus();
    }
  }

  /** Files every waiting job of a queue again, since what is possible may have changed. */
  void refileAll(String queue) {
    for (Pool pool : state.poolsOf(queue)) {
      for (ShareState share : pool.shares().values()) {
        List<ShareState.Turn> turns = new ArrayList<>(share.aside);
        turns.addAll(share.line);
        for (ShareState.Turn turn : turns) {
          refile(turn.job());
        }
      }
    }
  }

  void refile(JobKey key) {
    Job job = state.job(key);
    Pool pool = state.poolOf(job);
    unfile(pool, job);
    file(pool, job);
  }
}
