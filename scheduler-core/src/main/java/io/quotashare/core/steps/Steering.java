package io.quotashare.core.steps;

import io.quotashare.core.Effect;
import io.quotashare.core.JobEvent;
import io.quotashare.core.RejectedException;
import io.quotashare.core.RejectedException.Kind;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.SaveRequest;
import io.quotashare.core.model.Stop;
import io.quotashare.core.model.StopCause;
import io.quotashare.core.state.State;
import java.util.Map;
import java.util.TreeMap;

/** What users do with jobs that were accepted. */
public final class Steering {
  private final State state;
  private final Moves moves;

  public Steering(State state, Moves moves) {
    this.state = state;
    this.moves = moves;
  }

  /** Changes the priority of a job that has not ended. */
  public Job setPriority(JobKey key, int priority) {
    Job job = job(key);
    JobSteps.checkPriority(priority, "priority");
    checkNotEnded(job);
    if (job.priority() == priority) {
      return job;
    }
    Job changed = job.change().priority(priority).build();
    state.putJob(changed);
    tell(JobEvent.Type.PRIORITY, changed, "priority " + job.priority() + " -> " + priority);
    return changed;
  }

  /** Cancels a job; nothing if it has ended or ends anyway. */
  public Job cancel(JobKey key, String reason) {
    Job job = job(key);
    String why = reason.isEmpty() ? "cancelled" : "cancelled: " + reason;
    if (job.state().isWaiting()) {
      moves.endWaiting(job, JobState.CANCELLED, why);
    } else if (isCancellable(job)) {
      state.planFor(key).ifPresent(moves::abandon);
      moves.stop(live(job), Moves.Decision.of(StopCause.CANCEL, why));
    }
    return job(key);
  }

  /** Whether cancelling the job would change what becomes of it. */
  public boolean isCancellable(Job job) {
    if (job.state().isTerminal()) {
      return false;
    }
    if (job.state().isWaiting()) {
      return true;
    }
    Stop stop = live(job).stop();
    return stop == null || !stop.cause().endsJob();
  }

  /** Holds a waiting job back, or ends that. */
  public Job setHeld(JobKey key, boolean held) {
    Job job = job(key);
    checkNotEnded(job);
    if (held && !job.state().isWaiting()) {
      throw refuse(job, "JOB_NOT_WAITING", "only a job that waits can be held, and it is %s");
    }
    if (job.held() == held) {
      return job;
    }
    state.planFor(key).ifPresent(moves::abandon);
    Job changed = job.change().held(held).build();
    state.putJob(changed);
    tell(JobEvent.Type.UPDATED, changed, held ? "held" : "released");
    return changed;
  }

  /**
   * Stops the attempt of a job, checkpoint first, and lets the job wait again.
   *
   * @param hold whether it is held back as well
   * @param reason said by whoever asks; may be empty
   */
  public Job requeue(JobKey key, boolean hold, String reason) {
    Job job = job(key);
    checkNotEnded(job);
    if (job.state().isWaiting()) {
      throw refuse(job, "JOB_WAITING", "it is %s: there is no attempt to stop");
    }
    Attempt attempt = live(job);
    if (attempt.stop() != null) {
      throw refuse(
          job, "JOB_STOPPING", "it is %s already (" + attempt.stop().cause() + "): wait for that");
    }
    if (hold) {
      state.putJob(job.change().held(true).build());
    }
    String why = reason.isEmpty() ? "requeued on request" : "requeued on request: " + reason;
    moves.stop(attempt, Moves.Decision.of(StopCause.REQUESTED, why));
    return state.job(key);
  }

  /** Asks the running attempt of a job to save and go on. */
  public Attempt checkpoint(JobKey key) {
    Job job = job(key);
    checkNotEnded(job);
    if (job.state() != JobState.RUNNING) {
      throw refuse(job, "JOB_NOT_RUNNING", "only a job that runs can save, and it is %s");
    }
    if (!job.spec().onDemandCheckpoint()) {
      throw refuse(
          job,
          "NO_ON_DEMAND_CHECKPOINT",
          "it does not take requests to save (expected: submitted with on_demand_checkpoint)");
    }
    Attempt attempt = live(job);
    if (attempt.isSaveOutstanding()) {
      throw refuse(
          job,
          "CHECKPOINT_OUTSTANDING",
          "request "
              + attempt.newestSaveRequest()
              + " to save is not confirmed yet: one at a time");
    }
    Attempt asked =
        attempt.change().saveRequest(new SaveRequest(attempt.requests() + 1, state.now())).build();
    state.putAttempt(asked);
    state.recorder().effect(asked.key(), new Effect.Checkpoint(job, asked));
    moves.event(JobEvent.Type.UPDATED, job, asked, "asked to save");
    return asked;
  }

  private Job job(JobKey key) {
    return state
        .archive()
        .job(key)
        .orElseThrow(
            () ->
                new RejectedException(
                    Kind.NOT_FOUND,
                    "JOB_NOT_FOUND",
                    "name",
                    "name: " + state.archive().missing(key)));
  }

  /** The attempt of a job that neither waits nor has ended. */
  private Attempt live(Job job) {
    return state.liveAttempt(job.key()).orElseThrow();
  }

  private void tell(JobEvent.Type type, Job job, String detail) {
    moves.event(type, job, state.newestAttempt(job.key()).orElse(null), detail);
  }

  private static void checkNotEnded(Job job) {
    if (job.state().isTerminal()) {
      throw refuse(job, "JOB_ENDED", "it has ended: %s");
    }
  }

  /**
   * @param why may name the state of the job by {@code %s}
   */
  private static RejectedException refuse(Job job, String reason, String why) {
    return new RejectedException(
        Kind.FAILED_PRECONDITION,
        reason,
        "name",
        "name: " + job.key() + ": " + String.format(why, job.state()),
        new TreeMap<>(Map.of("name", job.key().toString(), "state", job.state().name())));
  }
}
