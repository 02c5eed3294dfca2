package io.quotashare.core.model;

/**
 * Where a job stands (quota-semantics 1). While an attempt is live the job shows the attempt's
 * state.
 */
public enum JobState {
  SUBMITTED,
  RUNNABLE,
  SCHEDULED,
  STARTING,
  RUNNING,
  PREEMPTING,
  STOPPING,
  UNKNOWN,
  SUCCEEDED,
  FAILED,
  CANCELLED;

  /** Whether the job has ended for good. */
  public boolean isTerminal() {
    return this == SUCCEEDED || this == FAILED || this == CANCELLED;
  }

  /** Whether the job waits for devices. */
  public boolean isWaiting() {
    return this == SUBMITTED || this == RUNNABLE;
  }
}
