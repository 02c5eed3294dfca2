package io.quotashare.core.model;

/** Where an attempt stands on one node of its gang. */
public enum PartPhase {
  /** Devices are held; the agent has not said anything yet. */
  ASSIGNED(false),
  /** The agent is launching the supervisor. */
  STARTING(false),
  /** The main process runs. */
  RUNNING(false),
  /** Every process is gone; the devices are not yet proven free. */
  EXITED(false),
  /** The devices are free. */
  FREE(true),
  /** It could not be started; nothing runs and the devices are free. */
  START_FAILED(true),
  /** Its node could not start it, through no fault of the job; nothing runs. */
  NOT_STARTED(true),
  /** The node was lost or fenced; nothing runs there any more. */
  LOST(true);

  private final boolean free;

  PartPhase(boolean free) {
    this.free = free;
  }

  /** Whether the devices are no longer held. */
  public boolean isFree() {
    return free;
  }
}
