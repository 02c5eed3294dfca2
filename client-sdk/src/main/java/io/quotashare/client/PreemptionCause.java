package io.quotashare.client;

/** Why an attempt was asked to stop and queue again (quota-semantics 6.5). */
public enum PreemptionCause {
  /** It was not preempted. */
  NONE,
  /** Lent capacity goes back to a share that is within its limit. */
  RECLAIM,
  /** A job of higher priority in the same share needed the devices. */
  IN_SHARE,
  /** The share's limit was lowered. Uses no preemption budget. */
  CAPACITY_LOWERED,
  /** The node is being drained. Uses no preemption budget. */
  NODE_DRAIN,
  /** Its owner asked for it to be queued again. Uses no preemption budget. */
  REQUESTED,
  /** A newer scheduler sent a value that this client does not know. */
  UNRECOGNIZED
}
