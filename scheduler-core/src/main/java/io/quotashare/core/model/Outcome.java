package io.quotashare.core.model;

/** How an attempt ended. */
public enum Outcome {
  /** All nodes exited with 0. */
  SUCCEEDED,
  /** It failed by itself, could not start, or ran past its time limit. */
  FAILED,
  /** A user cancelled the job. */
  CANCELLED,
  /** It was stopped for another job or a drain, and the job queues again. */
  PREEMPTED,
  /** A node of it was lost; the job queues again without using a budget. */
  NODE_LOST,
  /**
   * A node could not start it, through no fault of the job, which queues again without using a
   * retry.
   */
  NOT_STARTED
}
