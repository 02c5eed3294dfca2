package io.quotashare.core.lifecycle;

import static io.quotashare.core.model.AttemptState.ENDED;
import static io.quotashare.core.model.AttemptState.PREEMPTING;
import static io.quotashare.core.model.AttemptState.RUNNING;
import static io.quotashare.core.model.AttemptState.SCHEDULED;
import static io.quotashare.core.model.AttemptState.STARTING;
import static io.quotashare.core.model.AttemptState.STOPPING;
import static io.quotashare.core.model.AttemptState.UNKNOWN;

import io.quotashare.core.model.AttemptState;

/** Life cycle of an attempt (quota-semantics 1 and 6). */
public final class AttemptLifecycle {
  /** What can happen to an attempt. */
  public enum Event {
    /** Its agents have it, and have not begun; after a silence only. */
    ASSIGNED,
    /** An agent is starting it. */
    STARTING,
    /** All its nodes run. */
    ALL_RUNNING,
    /** It is told to save and stop, and queues again. */
    PREEMPT,
    /** It is told to stop for good, or because its gang is broken. */
    STOP,
    /** A node of it is silent. */
    SILENT,
    /** All its devices are free. */
    END
  }

  /** The table. */
  public static final TransitionTable<AttemptState, Event> TABLE =
      TransitionTable.of(AttemptState.class, Event.class)
          .add(SCHEDULED, Event.STARTING, STARTING)
          .add(SCHEDULED, Event.ALL_RUNNING, RUNNING)
          .add(SCHEDULED, Event.PREEMPT, PREEMPTING)
          .add(SCHEDULED, Event.STOP, STOPPING)
          .add(SCHEDULED, Event.SILENT, UNKNOWN)
          .add(SCHEDULED, Event.END, ENDED)
          .add(STARTING, Event.ALL_RUNNING, RUNNING)
          .add(STARTING, Event.PREEMPT, PREEMPTING)
          .add(STARTING, Event.STOP, STOPPING)
          .add(STARTING, Event.SILENT, UNKNOWN)
          .add(STARTING, Event.END, ENDED)
          .add(RUNNING, Event.PREEMPT, PREEMPTING)
          .add(RUNNING, Event.STOP, STOPPING)
          .add(RUNNING, Event.SILENT, UNKNOWN)
          .add(RUNNING, Event.END, ENDED)
          .add(UNKNOWN, Event.ASSIGNED, SCHEDULED)
          .add(UNKNOWN, Event.STARTING, STARTING)
          .add(UNKNOWN, Event.ALL_RUNNING, RUNNING)
          .add(UNKNOWN, Event.PREEMPT, PREEMPTING)
          .add(UNKNOWN, Event.STOP, STOPPING)
          .add(UNKNOWN, Event.END, ENDED)
          // A cancelled victim does not queue again.
          .add(PREEMPTING, Event.STOP, STOPPING)
          .add(PREEMPTING, Event.END, ENDED)
          // A job whose gang fails while it is cancelled is not tried again.
          .add(STOPPING, Event.STOP, STOPPING)
          .add(STOPPING, Event.END, ENDED)
          .build();

  private AttemptLifecycle() {}
}
