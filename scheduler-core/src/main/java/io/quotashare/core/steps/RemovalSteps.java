package io.quotashare.core.steps;

import io.quotashare.core.RejectedException;
import io.quotashare.core.RejectedException.Kind;
import io.quotashare.core.Removal;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.ShareState;
import io.quotashare.core.state.State;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Removes shares and queues (quota-semantics 9.3). What waits is cancelled at once and what runs is
 * stopped by the ladder; a share goes when the last of its attempts has ended, a queue with its
 * last share. That it is on its way out is a state of its row, so a restart goes on with it.
 */
public final class RemovalSteps {
  private static final String REASON = "its share is being removed";

  private final State state;
  private final Steering jobs;

  public RemovalSteps(State state, Steering jobs) {
    this.state = state;
    this.jobs = jobs;
  }

  /** What {@link #remove} would do; throws what it would throw. */
  public Removal preview(ShareKey key) {
    QuotaShare share = state.shares().get(key);
    if (share == null) {
      throw new RejectedException(
          Kind.NOT_FOUND, "NOT_FOUND", "name", "share " + key + " does not exist");
    }
    refuseLeaving(share);
    if (share.state() != AdminState.DISABLED) {
      throw new RejectedException(
          Kind.FAILED_PRECONDITION,
          "SHARE_NOT_DISABLED",
          "name",
          "share "
              + key
              + " is "
              + share.state()
              + " (expected: DISABLED; only a disabled share can be removed)");
    }
    return count(key);
  }

  /** Removes a disabled share. */
  public Removal remove(ShareKey key) {
    Removal removal = preview(key);
    begin(state.shares().get(key));
    return removal;
  }

  /** Throws if a share is on its way out: it accepts nothing, and cannot be made anew. */
  static void refuseLeaving(QuotaShare share) {
    if (share.state().isLeaving()) {
      throw new RejectedException(
          Kind.FAILED_PRECONDITION,
          "SHARE_BEING_REMOVED",
          "name",
          "share "
              + share.key()
              + " is being removed: try again when the last of its jobs has ended");
    }
  }

  /** Throws if a queue is on its way out. */
  static void refuseLeaving(Queue queue) {
    if (queue.state().isLeaving()) {
      throw new RejectedException(
          Kind.FAILED_PRECONDITION,
          "QUEUE_BEING_REMOVED",
          "name",
          "queue "
              + queue.name()
              + " is being removed: try again when the last of its jobs has ended");
    }
  }

  /** Removes a queue with all of its shares, whatever their state. */
  void begin(Queue queue) {
    if (!queue.state().isLeaving()) {
      state.putQueue(queue.withState(AdminState.REMOVING));
    }
    state.sharesOf(queue.name()).forEach(this::begin);
    finish(queue.name());
  }

  /** Removes a share, whatever its state. */
  void begin(QuotaShare share) {
    if (!share.state().isLeaving()) {
      state.putShare(share.withState(AdminState.REMOVING));
      jobsOf(share.key()).forEach(job -> jobs.cancel(job, REASON));
      finish(share.key());
    }
  }

  /** Takes out what has emptied since the last call. */
  public void finish() {
    List.copyOf(state.leavingShares()).forEach(this::finish);
    List.copyOf(state.leavingQueues()).forEach(this::finish);
  }

  private void finish(ShareKey key) {
    boolean idle = state.poolsOf(key.queue()).stream().allMatch(pool -> pool.share(key).isIdle());
    if (idle) {
      state.removeShare(state.shares().get(key));
    }
  }

  private void finish(String queue) {
    if (state.sharesOf(queue).isEmpty()) {
      state.putQueue(state.queues().get(queue).withState(AdminState.REMOVED));
    }
  }

  private Removal count(ShareKey key) {
    int waiting = 0;
    SortedSet<JobKey> all = jobsOf(key);
    for (JobKey job : all) {
      waiting += state.job(job).state().isWaiting() ? 1 : 0;
    }
    return new Removal(waiting, all.size() - waiting);
  }

  /** Jobs of a share that have not ended. */
  private SortedSet<JobKey> jobsOf(ShareKey key) {
    SortedSet<JobKey> result = new TreeSet<>();
    for (Pool pool : state.poolsOf(key.queue())) {
      ShareState share = pool.share(key);
      share.line().forEach(turn -> result.add(turn.job()));
      share.aside().forEach(turn -> result.add(turn.job()));
      share.running().all().forEach(entry -> result.add(entry.job().key()));
      for (Plan plan : state.plansOf(pool.key())) {
        if (plan.share().equals(key)) {
          result.add(plan.beneficiary());
        }
      }
    }
    return result;
  }

  /** Why a job that would queue again is cancelled instead; empty if it may queue again. */
  static String refusalToRequeue(State state, Job job) {
    return state.shareOf(job).state().isLeaving() ? REASON : "";
  }
}
