package io.quotashare.core.model;

/** Why an attempt was told to stop. */
public enum StopCause {
  /** Lent capacity goes back to a share within its limit (quota-semantics 4). */
  RECLAIM(true, true, false),
  /** A job of higher priority in the same share needs the devices (quota-semantics 5). */
  IN_SHARE(true, true, false),
  /** The share's limit was lowered with drainNow (quota-semantics 9.1). */
  CAPACITY_LOWERED(true, false, false),
  /** The node is drained (quota-semantics 9.2). */
  NODE_DRAIN(true, false, false),
  /** A user asked for the job to be queued again. */
  REQUESTED(true, false, false),
  /** A user cancelled the job. */
  CANCEL(false, false, true),
  /** The attempt ran longer than the job's time limit. */
  TIME_LIMIT(false, false, true),
  /** A node of the gang failed, so the others stop. */
  GANG_FAILED(false, false, false),
  /** A node of the gang was lost, so the others stop. */
  NODE_LOST(false, false, false);

  private final boolean preemption;
  private final boolean usesBudget;
  private final boolean endsJob;

  StopCause(boolean preemption, boolean usesBudget, boolean endsJob) {
    this.preemption = preemption;
    this.usesBudget = usesBudget;
    this.endsJob = endsJob;
  }

  /**
   * Whether the job queues again afterwards, and the attempt shows PREEMPTING (quota-semantics
   * 6.5).
   */
  public boolean isPreemption() {
    return preemption;
  }

  /**
   * Whether it counts against {@code preemptionRetriesBeforeTermination} (quota-semantics 6.4,
   * 6.5).
   */
  public boolean usesBudget() {
    return usesBudget;
  }

  /** Whether the job ends with the attempt, retries or not. */
  public boolean endsJob() {
    return endsJob;
  }
}
