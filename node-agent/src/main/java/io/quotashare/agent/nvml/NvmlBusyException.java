package io.quotashare.agent.nvml;

/** A call to the device library was not made, since others were before it. */
public final class NvmlBusyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says which call, and why. */
  public NvmlBusyException(String message) {
    super(message);
  }
}
