package io.quotashare.core.steps;

import io.quotashare.core.Effect;
import io.quotashare.core.JobEvent;
import io.quotashare.core.lifecycle.AttemptLifecycle;
import io.quotashare.core.lifecycle.JobLifecycle;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.Preemption;
import io.quotashare.core.model.RejectedAlternative;
import io.quotashare.core.model.Stop;
import io.quotashare.core.model.StopCause;
import io.quotashare.core.model.Waiting;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Moves jobs and attempts along their life cycles. An illegal move changes nothing and is counted.
 */
public final class Moves {
  /**
   * Why a preemption was decided.
   *
   * @param beneficiary job that it is for; null for causes without one
   * @param cause cause
   * @param costDeviceMillis expected cost of this victim
   * @param approximate whether a search bound ended the choice early
   * @param rejected others that were not chosen
   * @param detail said by whoever asked for it; may be empty
   */
  public record Decision(
      @Nullable JobKey beneficiary,
      StopCause cause,
      long costDeviceMillis,
      boolean approximate,
      List<RejectedAlternative> rejected,
      String detail) {
    /** A stop for no other job. */
    public static Decision of(StopCause cause, String detail) {
      return new Decision(null, cause, 0, false, List.of(), detail);
    }
  }

  private final State state;
  private long illegal;

  public Moves(State state) {
    this.state = state;
  }

  /** Moves that were not legal, and were ignored. */
  public long illegal() {
    return illegal;
  }

  // Starting

  /** Gives devices to a waiting job. */
  public void start(Job job, SortedMap<String, Integer> places) {
    Optional<JobState> next = JobLifecycle.TABLE.next(job.state(), JobLifecycle.Event.SCHEDULE);
    if (next.isEmpty()) {
      illegal++;
      return;
    }
    Pool pool = state.poolOf(job);
    List<Part> parts = new ArrayList<>();
    for (Map.Entry<String, Integer> place : places.entrySet()) {
      List<String> devices = pool.nodes().get(place.getKey()).pick(place.getValue());
      parts.add(Part.assigned(parts.size(), place.getKey(), devices));
    }
    int own = Math.max(0, pool.held().capacity(job.share()) - pool.held().use(job.share()));
    Job started = job.change().state(next.get()).attempts(job.attempts() + 1).waiting(null).build();
    Attempt attempt =
        Attempt.scheduled(
            started.newestAttempt(),
            job.share(),
            job.spec().unit(),
            parts,
            state.now(),
            job.attempts() > 0);
    state.putAttempt(attempt);
    state.putJob(started);
    state.recorder().effect(attempt.key(), new Effect.Start(started, attempt));
    int gpus = attempt.gpus();
    event(
        JobEvent.Type.STARTED, started, attempt, Math.min(own, gpus), Math.max(0, gpus - own), "");
  }

  // Stopping

  /** Tells an attempt to stop. One that was told so before can only be told to stop for good. */
  public void stop(Attempt attempt, Decision decision) {
    boolean preemption = decision.cause().isPreemption();
    AttemptLifecycle.Event event =
        preemption ? AttemptLifecycle.Event.PREEMPT : AttemptLifecycle.Event.STOP;
    Optional<AttemptState> next = AttemptLifecycle.TABLE.next(attempt.state(), event);
    if (next.isEmpty()) {
      illegal++;
      return;
    }
    Job job = state.job(attempt.key().job());
    Stop stop = stopFor(job, attempt, decision);
    Attempt stopping =
        attempt.change().state(next.get()).stop(stop).requests(stop.requestSeq()).build();
    state.putAttempt(stopping);
    Job moved = moveJob(job, preemption ? JobLifecycle.Event.PREEMPT : JobLifecycle.Event.STOP);
    state.recorder().effect(attempt.key(), new Effect.Stop(moved, stopping));
    if (preemption) {
      state.putPreemption(preemption(job, stopping, stop, decision));
      event(JobEvent.Type.PREEMPTING, moved, stopping, "");
    } else {
      event(JobEvent.Type.UPDATED, moved, stopping, "");
    }
  }

  private Stop stopFor(Job job, Attempt attempt, Decision decision) {
    long grace =
        Math.min(job.spec().graceMillis(), state.queues().get(job.key().queue()).maxGraceMillis());
    Stop before = attempt.stop();
    long deadline = state.now() + grace;
    boolean saveFirst =
        decision.cause().isPreemption()
            && job.spec().onDemandCheckpoint()
            && attempt.state() == AttemptState.RUNNING;
    return new Stop(
        decision.cause(),
        decision.beneficiary(),
        before == null ? state.now() : before.requestedAtMillis(),
        before == null ? deadline : Math.min(deadline, before.deadlineMillis()),
        saveFirst,
        attempt.requests() + 1,
        before == null ? OptionalLong.empty() : before.savedAtMillis(),
        decision.detail());
  }

  private Preemption preemption(Job job, Attempt attempt, Stop stop, Decision decision) {
    return new Preemption(
        attempt.key(),
        job.share(),
        decision.beneficiary(),
        decision.beneficiary() == null ? null : state.job(decision.beneficiary()).share(),
        decision.cause(),
        attempt.heldGpus(),
        stop.requestedAtMillis(),
        stop.deadlineMillis(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        decision.costDeviceMillis(),
        0,
        decision.approximate(),
        decision.rejected());
  }

  // Moving on

  /** Moves a live attempt and its job; nothing if the attempt is there already. */
  public Attempt advance(Attempt attempt, AttemptLifecycle.Event event) {
    Optional<AttemptState> next = AttemptLifecycle.TABLE.next(attempt.state(), event);
    if (next.isEmpty()) {
      illegal++;
      return attempt;
    }
    Attempt.Builder change = attempt.change().state(next.get());
    if (event == AttemptLifecycle.Event.ALL_RUNNING && attempt.runningAtMillis().isEmpty()) {
      change.running(state.now());
    }
    Attempt moved = change.build();
    state.putAttempt(moved);
    Job job = moveJob(state.job(attempt.key().job()), JobLifecycle.Event.valueOf(event.name()));
    boolean firstRun =
        event == AttemptLifecycle.Event.ALL_RUNNING && attempt.runningAtMillis().isEmpty();
    event(firstRun ? JobEvent.Type.RUNNING : JobEvent.Type.UPDATED, job, moved, "");
    return moved;
  }

  private Job moveJob(Job job, JobLifecycle.Event event) {
    Optional<JobState> next = JobLifecycle.TABLE.next(job.state(), event);
    if (next.isEmpty()) {
      illegal++;
      return job;
    }
    Job moved = job.change().state(next.get()).build();
    state.putJob(moved);
    return moved;
  }

  /** Says why a job waits; nothing if it is known already. */
  public void wait(Job job, Waiting waiting) {
    Waiting before = job.waiting();
    if (before != null
        && before.reason() == waiting.reason()
        && before.detail().equals(waiting.detail())) {
      return;
    }
    boolean sameReason = before != null && before.reason() == waiting.reason();
    Waiting since =
        sameReason
            ? new Waiting(waiting.reason(), waiting.detail(), before.sinceMillis())
            : waiting;
    Job waits = job.change().state(JobState.RUNNABLE).waiting(since).build();
    state.putJob(waits);
    if (!sameReason) {
      event(
          JobEvent.Type.WAITING,
          waits,
          state.newestAttempt(job.key()).orElse(null),
          waiting.detail());
    }
  }

  // Ending

  /** Ends a job that holds nothing. */
  public void endWaiting(Job job, JobState terminal, String reason) {
    state.planFor(job.key()).ifPresent(this::abandon);
    Job ended = job.change().ended(terminal, state.now(), reason).build();
    state.putJob(ended);
    event(
        terminal == JobState.CANCELLED ? JobEvent.Type.CANCELLED : JobEvent.Type.FAILED,
        ended,
        state.newestAttempt(job.key()).orElse(null),
        reason);
  }

  /**
   * Gives a plan up that stopped somebody and whose beneficiary will not start on what was freed.
   */
  public void abandon(Plan plan) {
    state.removePlan(plan.id());
  }

  /** Publishes an event. */
  public void event(JobEvent.Type type, Job job, @Nullable Attempt attempt, String detail) {
    event(type, job, attempt, 0, 0, detail);
  }

  private void event(
      JobEvent.Type type,
      Job job,
      @Nullable Attempt attempt,
      int own,
      int borrowed,
      String detail) {
    state.recorder().event(new JobEvent(type, state.now(), job, attempt, own, borrowed, detail));
  }

  /** The live attempt of that key; empty if it has ended or never was. */
  public Optional<Attempt> live(AttemptKey key) {
    return Optional.ofNullable(state.live().get(key));
  }
}
