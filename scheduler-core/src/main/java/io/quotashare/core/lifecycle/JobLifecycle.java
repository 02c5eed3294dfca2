package io.quotashare.core.lifecycle;

import static io.quotashare.core.model.JobState.CANCELLED;
import static io.quotashare.core.model.JobState.FAILED;
import static io.quotashare.core.model.JobState.PREEMPTING;
import static io.quotashare.core.model.JobState.RUNNABLE;
import static io.quotashare.core.model.JobState.RUNNING;
import static io.quotashare.core.model.JobState.SCHEDULED;
import static io.quotashare.core.model.JobState.STARTING;
import static io.quotashare.core.model.JobState.STOPPING;
import static io.quotashare.core.model.JobState.SUBMITTED;
import static io.quotashare.core.model.JobState.SUCCEEDED;
import static io.quotashare.core.model.JobState.UNKNOWN;

import io.quotashare.core.model.JobState;

/**
 * Life cycle of a job (quota-semantics 1). Between SCHEDULED and its end it shows the state of its
 * attempt.
 */
public final class JobLifecycle {
  /** What can happen to a job. */
  public enum Event {
    /** A decision pass looked at it, and it waits. */
    WAIT,
    /** A placement was decided. */
    SCHEDULE,
    /** Its attempt is assigned again after a silence. */
    ASSIGNED,
    /** Its attempt is starting. */
    STARTING,
    /** Its attempt runs. */
    ALL_RUNNING,
    /** Its attempt is being preempted. */
    PREEMPT,
    /** Its attempt is being stopped. */
    STOP,
    /** A node of its attempt is silent. */
    SILENT,
    /** Its attempt ended, and it waits again. */
    REQUEUE,
    /** It ended well. */
    SUCCEED,
    /** It ended badly. */
    FAIL,
    /** It ended because a user cancelled it. */
    CANCEL
  }

  /** The table. */
  public static final TransitionTable<JobState, Event> TABLE = table();

  private JobLifecycle() {}

  private static TransitionTable<JobState, Event> table() {
    TransitionTable.Builder<JobState, Event> table =
        TransitionTable.of(JobState.class, Event.class)
            .add(SUBMITTED, Event.WAIT, RUNNABLE)
            .add(SUBMITTED, Event.SCHEDULE, SCHEDULED)
            .add(SUBMITTED, Event.FAIL, FAILED)
            .add(SUBMITTED, Event.CANCEL, CANCELLED)
            .add(RUNNABLE, Event.WAIT, RUNNABLE)
            .add(RUNNABLE, Event.SCHEDULE, SCHEDULED)
            .add(RUNNABLE, Event.FAIL, FAILED)
            .add(RUNNABLE, Event.CANCEL, CANCELLED)
            .add(SCHEDULED, Event.STARTING, STARTING)
            .add(SCHEDULED, Event.ALL_RUNNING, RUNNING)
            .add(STARTING, Event.ALL_RUNNING, RUNNING)
            .add(UNKNOWN, Event.ASSIGNED, SCHEDULED)
            .add(UNKNOWN, Event.STARTING, STARTING)
            .add(UNKNOWN, Event.ALL_RUNNING, RUNNING)
            .add(PREEMPTING, Event.STOP, STOPPING)
            .add(STOPPING, Event.STOP, STOPPING);
    for (JobState live : new JobState[] {SCHEDULED, STARTING, RUNNING, UNKNOWN}) {
      table.add(live, Event.PREEMPT, PREEMPTING).add(live, Event.STOP, STOPPING);
      if (live != UNKNOWN) {
        table.add(live, Event.SILENT, UNKNOWN);
      }
    }
    for (JobState live :
        new JobState[] {SCHEDULED, STARTING, RUNNING, PREEMPTING, STOPPING, UNKNOWN}) {
      table
          .add(live, Event.REQUEUE, RUNNABLE)
          .add(live, Event.SUCCEED, SUCCEEDED)
          .add(live, Event.FAIL, FAILED)
          .add(live, Event.CANCEL, CANCELLED);
    }
    return table.build();
  }
}
