package io.quotashare.core.replay;

import static io.quotashare.core.model.JobState.RUNNING;
import static io.quotashare.core.model.JobState.SCHEDULED;
import static io.quotashare.core.model.JobState.STARTING;

import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Waiting;
import io.quotashare.core.model.WaitingReason;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Compares what a scenario expects with what is. */
final class ExpectationCheck {
  private static final Set<JobState> HOLDING = EnumSet.of(SCHEDULED, STARTING, RUNNING);

  private final Scheduler scheduler;
  private final History history;
  private final Map<JobKey, String> rejected;
  private final long nowMillis;
  private final List<FailedExpectation> failures = new ArrayList<>();

  /**
   * @param rejected jobs that were not accepted, with the reason
   */
  ExpectationCheck(
      Scheduler scheduler, History history, Map<JobKey, String> rejected, long nowMillis) {
    this.scheduler = scheduler;
    this.history = history;
    this.rejected = rejected;
    this.nowMillis = nowMillis;
  }

  /** What does not hold, in the order of the expectation. */
  List<FailedExpectation> failuresOf(Expectation expectation) {
    expectState(expectation.running(), "running", HOLDING::contains);
    expectation.waiting().forEach(this::expectWaiting);
    for (JobKey job : expectation.preempting()) {
      expectChosen(job, "chosen as a victim by now", history.preemptionsOf(job) > 0);
    }
    for (JobKey job : expectation.wouldPreempt()) {
      expectChosen(job, "chosen by a queue that only observes", history.wouldHavePreempted(job));
    }
    for (JobKey job : expectation.spared()) {
      expectChosen(job, "never chosen as a victim so far", history.preemptionsOf(job) == 0);
    }
    expectState(expectation.succeeded(), "SUCCEEDED", state -> state == JobState.SUCCEEDED);
    expectState(expectation.failed(), "FAILED", state -> state == JobState.FAILED);
    expectState(expectation.cancelled(), "CANCELLED", state -> state == JobState.CANCELLED);
    expectation
        .preemptions()
        .forEach(
            (job, count) ->
                expectChosen(
                    job,
                    "chosen as a victim " + times(count) + " so far",
                    history.preemptionsOf(job) == count));
    return List.copyOf(failures);
  }

  private void expectState(List<JobKey> jobs, String expected, Predicate<JobState> holds) {
    for (JobKey job : jobs) {
      Optional<JobState> state = scheduler.job(job).map(Job::state);
      if (state.isEmpty() || !holds.test(state.get())) {
        fail(job, expected);
      }
    }
  }

  private void expectWaiting(JobKey key, Optional<WaitingReason> wanted) {
    Optional<Job> job = scheduler.job(key).filter(j -> j.state().isWaiting());
    Optional<WaitingReason> actual = job.map(Job::waiting).map(Waiting::reason);
    if (job.isEmpty() || (wanted.isPresent() && !wanted.equals(actual))) {
      fail(key, "waiting" + wanted.map(reason -> ": " + reason).orElse(""));
    }
  }

  private void expectChosen(JobKey job, String expected, boolean holds) {
    // A job that was never accepted was never chosen either, and is most likely a mistake.
    if (!holds || scheduler.job(job).isEmpty()) {
      fail(job, expected);
    }
  }

  private void fail(JobKey job, String expected) {
    failures.add(
        new FailedExpectation(nowMillis - Replay.EPOCH_MILLIS, job, expected, actual(job)));
  }

  private String actual(JobKey key) {
    Optional<Job> found = scheduler.job(key);
    if (found.isEmpty()) {
      String reason = rejected.get(key);
      return reason == null ? "not submitted yet" : "REJECTED: " + reason;
    }
    Job job = found.get();
    StringBuilder text = new StringBuilder(job.state().toString());
    if (job.waiting() != null && job.state().isWaiting()) {
      text.append(": ").append(job.waiting().reason()).append(", ").append(job.waiting().detail());
    } else if (job.state().isTerminal() && !job.endReason().isEmpty()) {
      text.append(": ").append(job.endReason());
    }
    return text.append("; chosen as a victim ")
        .append(times(history.preemptionsOf(key)))
        .append(" so far")
        .toString();
  }

  private static String times(int count) {
    return count == 1 ? "once" : count + " times";
  }
}
