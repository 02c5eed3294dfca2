package io.quotashare.client;

/** Where a job stands. While an attempt holds devices the job shows the attempt's state. */
public enum JobState {
  /** Durable, not yet looked at by a decision pass. */
  SUBMITTED,
  /** Waits for devices; {@link Job#waiting()} says why. */
  RUNNABLE,
  /** The placement is decided and its devices are held. */
  SCHEDULED,
  /** The node agents are starting the processes. */
  STARTING,
  /** Every node of the gang runs. */
  RUNNING,
  /** Asked to save and stop, to be queued again afterwards. */
  PREEMPTING,
  /** Asked to stop for good. */
  STOPPING,
  /** A node of the attempt is silent; it is neither believed alive nor started elsewhere. */
  UNKNOWN,
  /** Terminal: the command exited 0. */
  SUCCEEDED,
  /** Terminal: {@link Job#endReason()} says why. */
  FAILED,
  /** Terminal: cancelled by a user. */
  CANCELLED,
  /** A newer scheduler sent a value that this client does not know. Not treated as terminal. */
  UNRECOGNIZED;

  /** True for the three states that a job never leaves. */
  public boolean isTerminal() {
    return this == SUCCEEDED || this == FAILED || this == CANCELLED;
  }

  /** True if the job waits for devices. */
  public boolean isWaiting() {
    return this == SUBMITTED || this == RUNNABLE;
  }

  /** True if an attempt holds devices. */
  public boolean holdsDevices() {
    return !isTerminal() && !isWaiting() && this != UNRECOGNIZED;
  }
}
