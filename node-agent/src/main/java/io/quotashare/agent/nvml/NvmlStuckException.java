package io.quotashare.agent.nvml;

/**
 * A call to the device library has not returned within its deadline; no call is made until it does.
 */
public final class NvmlStuckException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Names the call that hangs. */
  public NvmlStuckException(String call) {
    super("the call " + call + " into the NVIDIA driver has not returned");
  }
}
