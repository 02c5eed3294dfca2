package io.quotashare.client;

/** Whether the scheduler places work on a node. */
public enum NodeState {
  /** Takes work. */
  READY,
  /** Silent for a moment: nothing is placed there. */
  SUSPECT,
  /** Takes nothing new, by an operator's word. */
  CORDONED,
  /** Its attempts are being moved, by an operator's word. */
  DRAINING,
  /** Silent past its lease: its attempts have ended. */
  LOST,
  /** A newer scheduler sent a value that this client does not know. */
  UNRECOGNIZED
}
