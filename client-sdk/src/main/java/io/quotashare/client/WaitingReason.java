package io.quotashare.client;

/** Why a job waits: the first that applies, in this order (quota-semantics 7). */
public enum WaitingReason {
  /** The queue is switched off. */
  QUEUE_DISABLED,
  /** The share is switched off. */
  SHARE_DISABLED,
  /** An operator paused scheduling. */
  SCHEDULING_PAUSED,
  /** A new leader waits for its agents. */
  RECOVERING,
  /** Larger than all devices of the queue. Permanent. */
  QUEUE_CAPACITY_EXCEEDED,
  /** Held back by its owner. */
  HELD,
  /** May not borrow and is larger than its share's limit. Permanent. */
  SHARE_LIMIT_EXCEEDED,
  /** Larger than limit plus borrow limit. Permanent. */
  BORROW_LIMIT_EXCEEDED,
  /** Needs more than its limit plus everything that others may ever lend. Permanent. */
  NOT_LENDABLE,
  /** No set of nodes could hold its shape even when empty. Permanent. */
  NO_NODE_FITS,
  /** Victims are chosen and are stopping. */
  WAITING_FOR_PREEMPTION,
  /** Not at the front of its share and unit. */
  BEHIND_FRONT_JOB,
  /** Would fit if lost, cordoned or draining nodes came back. */
  WAITING_FOR_NODES,
  /** Would-be victims are younger than their share's minRuntime. */
  WAITING_FOR_MIN_RUNTIME,
  /** A rate limit or back-off holds the reclaim back. */
  PACED,
  /** Would exceed the share's limit, and may not borrow. */
  SHARE_AT_LIMIT,
  /** Would exceed limit plus borrow limit. */
  BORROW_LIMIT_REACHED,
  /** Enough devices, but scattered, kept for another job, or still coming free. */
  FRAGMENTED,
  /** What it would borrow is in use or withheld. */
  NOTHING_TO_BORROW,
  /** Within its limit, but more is guaranteed than exists. */
  OVERCOMMITTED,
  /** The queue only observes: victims were chosen, and nobody is stopped. */
  OBSERVE_ONLY,
  /** A newer scheduler sent a value that this client does not know. */
  UNRECOGNIZED
}
