package io.quotashare.core.model;

/** Why a job waits: the first that applies, in this order (quota-semantics 7). */
public enum WaitingReason {
  QUEUE_DISABLED(Passing.ON_CHANGE),
  SHARE_DISABLED(Passing.ON_CHANGE),
  SCHEDULING_PAUSED(Passing.ON_CHANGE),
  RECOVERING(Passing.ON_CHANGE),
  QUEUE_CAPACITY_EXCEEDED(Passing.NEVER),
  HELD(Passing.ON_CHANGE),
  SHARE_LIMIT_EXCEEDED(Passing.NEVER),
  BORROW_LIMIT_EXCEEDED(Passing.NEVER),
  NOT_LENDABLE(Passing.NEVER),
  NO_NODE_FITS(Passing.NEVER),
  WAITING_FOR_PREEMPTION(Passing.BY_ITSELF),
  OBSERVE_ONLY(Passing.BY_ITSELF),
  BEHIND_FRONT_JOB(Passing.BY_ITSELF),
  WAITING_FOR_NODES(Passing.BY_ITSELF),
  WAITING_FOR_MIN_RUNTIME(Passing.BY_ITSELF),
  PACED(Passing.BY_ITSELF),
  SHARE_AT_LIMIT(Passing.BY_ITSELF),
  BORROW_LIMIT_REACHED(Passing.BY_ITSELF),
  FRAGMENTED(Passing.BY_ITSELF),
  NOTHING_TO_BORROW(Passing.BY_ITSELF),
  OVERCOMMITTED(Passing.BY_ITSELF);

  /** Whether and how a reason passes. */
  public enum Passing {
    /** Time and the end of other jobs are enough. */
    BY_ITSELF,
    /** Somebody must switch something on or release it. */
    ON_CHANGE,
    /** No state of the queue as configured could run the job. */
    NEVER
  }

  private final Passing passing;

  WaitingReason(Passing passing) {
    this.passing = passing;
  }

  /** Whether and how the reason passes. */
  public Passing passing() {
    return passing;
  }

  /** Whether no state of the queue as configured could run the job. */
  public boolean isPermanent() {
    return passing == Passing.NEVER;
  }
}
