package io.quotashare.agent.nvml;

/** What a GPU asks for before it works again: field 230 of NVML, from driver 570 on. */
public enum RecoveryAction {
  /** Nothing. */
  NONE(0, ""),
  /** A reset of the GPU. */
  RESET(1, "the GPU asks for a reset (nvidia-smi --gpu-reset)"),
  /** A reboot of the host. */
  REBOOT(2, "the GPU asks for a reboot of the host"),
  /** To stop peer-to-peer use, and then a reset. */
  DRAIN_P2P(3, "the GPU asks to be drained of peer-to-peer traffic"),
  /** To be drained, and then a reset. */
  DRAIN_AND_RESET(4, "the GPU asks to be drained and reset"),
  /** To recover the IMEX domain. */
  RECOVER_IMEX_DOMAIN(5, "the GPU asks for a recovery of its IMEX domain"),
  /** A value that this agent does not know. */
  OTHER(-1, "the GPU asks for a recovery action that this agent does not know"),
  /** The driver cannot tell. */
  NOT_REPORTED(-1, "");

  private final int value;
  private final String advice;

  RecoveryAction(int value, String advice) {
    this.value = value;
    this.advice = advice;
  }

  /** The action of a field value. */
  public static RecoveryAction of(long value) {
    for (RecoveryAction action : values()) {
      if (action.value >= 0 && action.value == value) {
        return action;
      }
    }
    return OTHER;
  }

  /** Whether the GPU may be used: it asks for nothing, or the driver cannot tell. */
  public boolean allowsUse() {
    return advice.isEmpty();
  }

  /** What is asked for, in words; empty if nothing is. */
  public String advice() {
    return advice;
  }
}
