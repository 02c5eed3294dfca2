package io.quotashare.core.model;

/** Whether a queue or share takes jobs (quota-semantics 9.3). */
public enum AdminState {
  /** In use. */
  ENABLED,
  /** Refuses submissions; waiting jobs wait, what runs finishes. */
  DISABLED,
  /**
   * On its way out: accepts nothing, what waited was cancelled, what runs is being stopped. It is
   * gone when the last of its attempts has ended.
   */
  REMOVING,
  /**
   * Gone. Only of queues: the row of one stays, since jobs that have ended and accounts refer to
   * it; making the queue anew replaces it.
   */
  REMOVED;

  /** Whether it is not, or soon no longer, there for anybody. */
  public boolean isLeaving() {
    return this == REMOVING || this == REMOVED;
  }
}
