package io.quotashare.core.model;

/** Where one placement of a job stands (quota-semantics 1). It holds its devices until ENDED. */
public enum AttemptState {
  /** The placement is decided and its devices are held. */
  SCHEDULED(JobState.SCHEDULED),
  /** The agents are starting the processes. */
  STARTING(JobState.STARTING),
  /** Every node of the gang runs. */
  RUNNING(JobState.RUNNING),
  /** Asked to stop and queue again. */
  PREEMPTING(JobState.PREEMPTING),
  /** Asked to stop for good, or because the gang is broken. */
  STOPPING(JobState.STOPPING),
  /** A node of it is silent. */
  UNKNOWN(JobState.UNKNOWN),
  /** Its devices are free. */
  ENDED(null);

  private final JobState shown;

  AttemptState(JobState shown) {
    this.shown = shown;
  }

  /** State that the job shows meanwhile. Not defined for ENDED. */
  public JobState shownAs() {
    if (shown == null) {
      throw new IllegalStateException("an ended attempt is not shown as a job state");
    }
    return shown;
  }

  /** Whether the attempt may be chosen as a victim (quota-semantics 4.2). */
  public boolean isCandidate() {
    return this == SCHEDULED || this == STARTING || this == RUNNING;
  }

  /** Whether it was told to stop, so that it no longer counts as planned. */
  public boolean isLeaving() {
    return this == PREEMPTING || this == STOPPING;
  }
}
