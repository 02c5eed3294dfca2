package io.quotashare.cli.jobs;

import io.quotashare.cli.output.Column;
import io.quotashare.cli.output.Resource;
import io.quotashare.cli.output.Times;
import io.quotashare.cli.output.Tone;
import io.quotashare.client.Attempt;
import io.quotashare.client.Job;
import io.quotashare.client.JobState;
import io.quotashare.client.NodeDevices;
import io.quotashare.client.PreemptionCause;
import io.quotashare.client.Waiting;
import io.quotashare.client.internal.JobProtos;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How jobs and attempts are shown. */
public final class JobTexts {
  private JobTexts() {}

  /** Jobs in every format; ages are counted from {@code now}. */
  public static Resource<Job> jobs(Instant now) {
    return new Resource<>(
        "jobs",
        List.of(
            Column.text("JOB", Job::id),
            Column.text("QUEUE", Job::queue).wide(),
            Column.text("SHARE", Job::share),
            Column.number("PRIORITY", Job::priority),
            Column.number("GPUS", Job::totalGpus),
            Column.text("UNIT", (Job job) -> job.spec().unit()).wide(),
            Column.<Job>text("STATE", job -> job.state().name()).toned(job -> tone(job.state())),
            Column.number("ATTEMPTS", Job::attemptCount),
            Column.number("PREEMPTED", Job::preemptionCount).wide(),
            Column.<Job>number("AGE", job -> Times.between(job.submittedAt(), now)),
            Column.text("NODES", JobTexts::nodes).wide(),
            Column.text("NAME", (Job job) -> job.spec().displayName()).wide(),
            Column.text("WHY", JobTexts::why)),
        Job::name,
        JobProtos::toProto);
  }

  /** Attempts in every format. */
  public static Resource<Attempt> attempts() {
    return new Resource<>(
        "attempts",
        List.of(
            Column.number("ATTEMPT", Attempt::number),
            Column.text("STATE", JobTexts::state).toned(a -> tone(a.state())),
            Column.text("NODES", JobTexts::placement),
            Column.<Attempt>text("SCHEDULED", a -> Times.clock(a.scheduledAt())),
            Column.<Attempt>text("RUNNING", a -> Times.clock(a.runningAt())),
            Column.<Attempt>text("STOP ASKED", a -> Times.clock(a.stopRequestedAt())).wide(),
            Column.<Attempt>text("DEADLINE", a -> Times.clock(a.stopDeadline())).wide(),
            Column.<Attempt>text("ENDED", a -> Times.clock(a.endedAt())),
            Column.number("EXIT", (Attempt a) -> orDash(a.exitCode())),
            Column.number("STEP", (Attempt a) -> orDash(a.step())),
            Column.number("CHECKPOINT", (Attempt a) -> orDash(a.checkpointStep())),
            Column.<Attempt>number("LOST(GPU-S)", a -> Times.oneDigit(a.lostDeviceSeconds())),
            Column.text("WHY", JobTexts::endOf)),
        Attempt::name,
        JobProtos::toProto);
  }

  /**
   * The state of an attempt. One that ended and let its job queue again has the job's state in the
   * contract; here RUNNABLE would read as if it could still run.
   */
  private static String state(Attempt attempt) {
    return attempt.state() == JobState.RUNNABLE ? "STOPPED" : attempt.state().name();
  }

  /** What the colour of a state says. */
  public static Tone tone(JobState state) {
    return switch (state) {
      case RUNNING, SUCCEEDED -> Tone.GOOD;
      case SUBMITTED, RUNNABLE, SCHEDULED, STARTING, PREEMPTING, STOPPING -> Tone.WAIT;
      case FAILED, UNKNOWN, UNRECOGNIZED -> Tone.BAD;
      case CANCELLED -> Tone.DIM;
    };
  }

  /** Why the job is not running: never a code without its sentence. */
  public static String why(Job job) {
    if (job.waiting() != null) {
      return why(job.waiting());
    }
    if (job.state() == JobState.PREEMPTING && job.latestAttempt() != null) {
      return preempted(job.latestAttempt());
    }
    return job.endReason();
  }

  /** One sentence about a job that has ended: when, how and why. */
  static String ended(Job job) {
    String when = job.endedAt() == null ? "" : " at " + Times.date(job.endedAt());
    String how =
        switch (job.state()) {
          case SUCCEEDED -> "succeeded";
          case CANCELLED -> "was cancelled";
          default -> "failed";
        };
    String why = job.endReason().isEmpty() ? "" : ": " + job.endReason();
    return job.id() + " has ended already: it " + how + when + why;
  }

  /** The code with its sentence, and whether waiting helps. */
  public static String why(Waiting waiting) {
    String sentence = waiting.detail().isEmpty() ? meaning(waiting) : waiting.detail();
    String never = waiting.permanent() ? " (cannot run as things are)" : "";
    return waiting.reason() + ": " + sentence + never;
  }

  /** Where the newest attempt runs; empty if none holds devices. */
  public static String nodes(Job job) {
    Attempt latest = job.latestAttempt();
    return latest == null || !job.state().holdsDevices() ? "" : placement(latest);
  }

  /** Nodes with the number of devices on each, such as {@code n1:8,n2:8}. */
  static String placement(Attempt attempt) {
    return attempt.placement().stream().map(JobTexts::node).collect(Collectors.joining(","));
  }

  /** Why the attempt ended or is being stopped. */
  static String endOf(Attempt attempt) {
    if (attempt.preemptionCause() == PreemptionCause.NONE) {
      return attempt.endReason();
    }
    return attempt.endReason().isEmpty()
        ? preempted(attempt)
        : attempt.preemptionCause() + ": " + attempt.endReason();
  }

  private static String preempted(Attempt attempt) {
    String cause =
        switch (attempt.preemptionCause()) {
          case RECLAIM -> "preempted (RECLAIM: lent GPUs go back to their owner)";
          case IN_SHARE -> "preempted (IN_SHARE: a job of higher priority in its share)";
          case CAPACITY_LOWERED -> "preempted (CAPACITY_LOWERED: the share's limit was lowered)";
          case NODE_DRAIN -> "preempted (NODE_DRAIN: its node is being drained)";
          case REQUESTED -> "queued again (REQUESTED: its owner asked for it)";
          case NONE, UNRECOGNIZED -> "preempted";
        };
    return attempt.beneficiaryJob().isEmpty() ? cause : cause + " for " + attempt.beneficiaryJob();
  }

  /** For a scheduler that sends the code alone. */
  private static String meaning(Waiting waiting) {
    return switch (waiting.reason()) {
      case QUEUE_DISABLED -> "the queue is switched off";
      case SHARE_DISABLED -> "the share is switched off";
      case SCHEDULING_PAUSED -> "an operator paused scheduling";
      case RECOVERING -> "the scheduler waits for its agents";
      case QUEUE_CAPACITY_EXCEEDED -> "larger than all devices of the queue";
      case HELD -> "held back by its owner";
      case SHARE_LIMIT_EXCEEDED -> "larger than the share's limit, and it may not borrow";
      case BORROW_LIMIT_EXCEEDED -> "larger than limit and borrow limit together";
      case NOT_LENDABLE -> "larger than the limit and all that others may lend";
      case NO_NODE_FITS -> "no set of nodes could hold its shape";
      case WAITING_FOR_PREEMPTION -> "other jobs are being stopped for it";
      case BEHIND_FRONT_JOB -> "another job of its share goes first";
      case WAITING_FOR_NODES -> "would fit if lost, cordoned or draining nodes came back";
      case WAITING_FOR_MIN_RUNTIME -> "the jobs that would stop for it are protected for a while";
      case PACED -> "a rate limit holds the reclaim back";
      case SHARE_AT_LIMIT -> "the share is at its limit, and it may not borrow";
      case BORROW_LIMIT_REACHED -> "the share is at its borrow limit";
      case FRAGMENTED -> "enough devices, but scattered or kept for another job";
      case NOTHING_TO_BORROW -> "what it would borrow is in use or withheld";
      case OVERCOMMITTED -> "more is guaranteed than exists";
      case OBSERVE_ONLY -> "the queue only observes: nobody is stopped for it";
      case UNRECOGNIZED -> "a reason that this program does not know; it may be too old";
    };
  }

  private static String node(NodeDevices devices) {
    return devices.node() + ":" + devices.deviceUuids().size();
  }

  private static String orDash(@Nullable Object value) {
    return value == null ? "-" : value.toString();
  }
}
