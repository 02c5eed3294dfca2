package io.quotashare.client;

/** What happened to a job. */
public enum JobEventType {
  /** Present state, sent once a job when a watch begins. */
  SNAPSHOT,
  /** Accepted durably. */
  SUBMITTED,
  /** The reason for which it waits changed. */
  WAITING,
  /** A placement was decided. */
  STARTED,
  /** All its nodes run. */
  RUNNING,
  /** It was asked to save and stop. */
  PREEMPTING,
  /** It confirmed a checkpoint. */
  CHECKPOINTED,
  /** Its attempt ended and the devices are free. */
  STOPPED,
  /** It waits again. */
  RUNNABLE,
  /** Ended well. */
  SUCCEEDED,
  /** Ended badly. */
  FAILED,
  /** Cancelled. */
  CANCELLED,
  /** Its priority changed. */
  PRIORITY,
  /** Something else of the job changed: progress, a node's silence. */
  UPDATED,
  /** A newer scheduler sent a value that this client does not know. */
  UNRECOGNIZED
}
