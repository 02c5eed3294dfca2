package io.quotashare.agent.nvml;

/**
 * A handle of a GPU or a MIG instance. Good until the library is shut down; that of a MIG instance
 * only until an instance is made or destroyed. Never kept from one look at the devices to the next.
 *
 * @param address the opaque pointer of NVML, not 0
 */
public record NvmlDevice(long address) {
  /** Checks that it is no null pointer. */
  public NvmlDevice {
    if (address == 0) {
      throw new IllegalArgumentException("address: 0 (expected: a handle of NVML)");
    }
  }
}
