package io.quotashare.core.replay;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.JobEvent;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Stop;
import io.quotashare.core.model.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Turns what the scheduler tells its watchers into the lines of a replay. */
final class Narrator {
  private Narrator() {}

  /** The line for an event; empty for those that a replay does not show. */
  static Optional<ReplayRecord> lineFor(JobEvent event) {
    long at = event.atMillis() - Replay.EPOCH_MILLIS;
    Job job = event.job();
    return Optional.ofNullable(
        switch (event.type()) {
          case SUBMITTED ->
              new ReplayRecord.Submitted(
                  at,
                  job.key(),
                  job.spec().share(),
                  job.priority(),
                  job.spec().shape(),
                  job.spec().unit());
          case WAITING -> waiting(at, job);
          case STARTED ->
              started(at, attemptOf(event), event.ownDevices(), event.borrowedDevices());
          case RUNNING -> new ReplayRecord.Running(at, job.key(), job.attempts());
          case PREEMPTING -> preempting(at, event);
          case STOPPED -> stopped(at, event);
          case RUNNABLE -> new ReplayRecord.Requeued(at, job.key());
          case SUCCEEDED, FAILED, CANCELLED ->
              new ReplayRecord.Ended(at, job.key(), job.state(), job.endReason());
          case PRIORITY -> new ReplayRecord.PriorityChanged(at, job.key(), job.priority());
          case CHECKPOINTED, UPDATED -> null;
        });
  }

  private static ReplayRecord waiting(long at, Job job) {
    Waiting waiting = requireNonNull(job.waiting(), "a job that waits has no reason");
    return new ReplayRecord.WaitingFor(at, job.key(), waiting.reason(), waiting.detail());
  }

  /** The line for a job that runs already, at the time at which it started. */
  static ReplayRecord adopted(Attempt attempt, int ownDevices) {
    long at = attempt.scheduledAtMillis() - Replay.EPOCH_MILLIS;
    return started(at, attempt, ownDevices, attempt.gpus() - ownDevices);
  }

  private static ReplayRecord started(long at, Attempt attempt, int own, int borrowed) {
    SortedMap<String, List<Integer>> devices = new TreeMap<>();
    for (Part part : attempt.parts()) {
      List<Integer> indexes = new ArrayList<>();
      for (String uuid : part.devices()) {
        indexes.add(VirtualNode.indexOf(uuid));
      }
      devices.put(part.node(), List.copyOf(indexes));
    }
    return new ReplayRecord.Started(
        at,
        attempt.key().job(),
        attempt.share().share(),
        attempt.key().number(),
        devices,
        own,
        borrowed);
  }

  private static ReplayRecord preempting(long at, JobEvent event) {
    Stop stop = requireNonNull(attemptOf(event).stop(), "a victim was not told to stop");
    return new ReplayRecord.Preempting(
        at,
        event.job().key(),
        stop.cause(),
        stop.beneficiary(),
        stop.deadlineMillis() - Replay.EPOCH_MILLIS);
  }

  /** The line for a victim that a queue which only observes chose. */
  static ReplayRecord wouldPreempt(ObservedPreemption preemption) {
    return new ReplayRecord.WouldPreempt(
        preemption.decidedAtMillis() - Replay.EPOCH_MILLIS,
        preemption.victim().job(),
        preemption.cause(),
        preemption.beneficiary(),
        preemption.expectedCostDeviceMillis());
  }

  private static ReplayRecord stopped(long at, JobEvent event) {
    Attempt attempt = attemptOf(event);
    Stop stop = attempt.stop();
    return new ReplayRecord.Stopped(
        at,
        event.job().key(),
        attempt.key().number(),
        attempt.lostDeviceMillis(),
        stop != null && stop.savedAtMillis().isPresent());
  }

  private static Attempt attemptOf(JobEvent event) {
    return requireNonNull(event.attempt(), () -> "an event without its attempt: " + event.type());
  }
}
