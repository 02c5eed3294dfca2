package io.quotashare.cli.jobs;

import io.quotashare.cli.output.Style;
import io.quotashare.cli.output.Times;
import io.quotashare.cli.output.Tone;
import io.quotashare.client.Attempt;
import io.quotashare.client.Job;
import io.quotashare.client.JobEvent;
import io.quotashare.client.JobEventType;
import java.util.Locale;

/** Events as sentences. */
public final class EventLines {
  private final Style style;

  /** With or without colours. */
  public EventLines(Style style) {
    this.style = style;
  }

  /** Time, kind and sentence. */
  public String line(JobEvent event) {
    String kind = String.format(Locale.ROOT, "%-12s", event.type());
    return (style.paint(Tone.DIM, Times.clock(event.time()))
            + "  "
            + style.paint(tone(event.type()), kind)
            + "  "
            + sentence(event))
        .stripTrailing();
  }

  /** What happened, in words: always with the job's id, and with what the scheduler says of it. */
  public static String sentence(JobEvent event) {
    Job job = event.job();
    String id = job.id();
    return switch (event.type()) {
      case SNAPSHOT -> snapshot(job);
      case SUBMITTED -> id + " was accepted in share " + job.share();
      case WAITING -> id + " waits: " + JobTexts.why(job);
      case STARTED -> id + " was given " + placement(job) + loans(event);
      case RUNNING -> id + " runs" + onNodes(job);
      case PREEMPTING -> id + " is asked to save and stop: " + JobTexts.why(job);
      case CHECKPOINTED -> id + " has saved" + savedStep(job);
      case STOPPED -> id + " has stopped, its devices are free" + because(event);
      case RUNNABLE -> id + " waits again";
      case SUCCEEDED -> id + " has succeeded";
      case FAILED -> id + " has failed: " + job.endReason();
      case CANCELLED -> id + " was cancelled" + because(event);
      case PRIORITY -> id + " has priority " + job.priority() + " now" + because(event);
      case UPDATED -> id + " " + progress(job);
      case UNRECOGNIZED -> id + " is " + job.state() + because(event);
    };
  }

  /** What the colour of an event says. */
  public static Tone tone(JobEventType type) {
    return switch (type) {
      case STARTED, RUNNING, SUCCEEDED -> Tone.GOOD;
      case PREEMPTING, STOPPED, RUNNABLE, WAITING -> Tone.WAIT;
      case FAILED, CANCELLED -> Tone.BAD;
      case CHECKPOINTED, PRIORITY, SUBMITTED -> Tone.STRONG;
      case SNAPSHOT, UPDATED, UNRECOGNIZED -> Tone.DIM;
    };
  }

  private static String because(JobEvent event) {
    String detail = event.detail();
    if (event.type() == JobEventType.CANCELLED) {
      detail = detail.replaceFirst("^cancelled(: )?", "");
    }
    return detail.isEmpty() ? "" : ": " + detail;
  }

  private static String snapshot(Job job) {
    String why = JobTexts.why(job);
    return job.id() + " is " + job.state() + (why.isEmpty() ? onNodes(job) : ": " + why);
  }

  private static String placement(Job job) {
    Attempt latest = job.latestAttempt();
    String nodes = latest == null ? "" : JobTexts.placement(latest);
    String devices = job.totalGpus() + (job.totalGpus() == 1 ? " GPU" : " GPUs");
    return nodes.isEmpty() ? devices : devices + " on " + nodes;
  }

  private static String loans(JobEvent event) {
    return event.borrowedDevices() == 0
        ? ""
        : " (" + event.ownDevices() + " own, " + event.borrowedDevices() + " borrowed)";
  }

  private static String onNodes(Job job) {
    String nodes = JobTexts.nodes(job);
    return nodes.isEmpty() ? "" : " on " + nodes;
  }

  private static String savedStep(Job job) {
    Attempt latest = job.latestAttempt();
    return latest == null || latest.checkpointStep() == null
        ? ""
        : " its state of step " + latest.checkpointStep();
  }

  private static String progress(Job job) {
    Attempt latest = job.latestAttempt();
    if (latest == null || latest.step() == null) {
      return "is " + job.state();
    }
    return "is " + job.state() + " at step " + latest.step();
  }
}
