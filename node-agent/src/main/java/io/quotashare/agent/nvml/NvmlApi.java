package io.quotashare.agent.nvml;

import java.util.List;

/**
 * What the agent asks NVML. One method a function, whichever of its versions the driver has. No
 * method throws for what NVML answers; a call may hang for ever, so it is made on the {@link
 * NvmlThread}.
 *
 * <p>The states, fallbacks and traps are in {@code docs/nvml.md}.
 */
public interface NvmlApi {

  /**
   * Initialises the library; counted by NVML, so that every success wants one {@link #shutdown}.
   * Touches no GPU.
   */
  NvmlReturn init();

  /** Lets the library go. Every handle is void from then on. */
  NvmlReturn shutdown();

  /** Version of the kernel driver. */
  NvmlResult<String> driverVersion();

  /** Version of the library. Works without {@link #init}. */
  NvmlResult<String> libraryVersion();

  /** Number of GPUs, those included that cannot be reached. */
  NvmlResult<Integer> deviceCount();

  /** The GPU at this index. Wakes it, so one bad GPU fails this call and no other. */
  NvmlResult<NvmlDevice> deviceByIndex(int index);

  /** The GPU or MIG instance with this UUID. */
  NvmlResult<NvmlDevice> deviceByUuid(String uuid);

  /** Identity: {@code GPU-...} or {@code MIG-...}. */
  NvmlResult<String> uuid(NvmlDevice device);

  /** Product name; that of a MIG instance ends in {@code MIG} and its profile. */
  NvmlResult<String> name(NvmlDevice device);

  /** N of {@code /dev/nvidiaN}. */
  NvmlResult<Integer> minorNumber(NvmlDevice device);

  /** PCI address and id. */
  NvmlResult<PciInfo> pciInfo(NvmlDevice device);

  /** Memory of a GPU or a MIG instance. */
  NvmlResult<MemoryInfo> memory(NvmlDevice device);

  /** Ids of the processes with a compute context, in the process namespace of the driver. */
  NvmlResult<List<Integer>> computeProcesses(NvmlDevice device);

  /** Ids of the processes with a graphics context. */
  NvmlResult<List<Integer>> graphicsProcesses(NvmlDevice device);

  /** Ids of the processes with a context under MPS. */
  NvmlResult<List<Integer>> mpsProcesses(NvmlDevice device);

  /** Whether the GPU is divided. */
  NvmlResult<MigMode> migMode(NvmlDevice device);

  /** Number of places for MIG instances, taken or not. */
  NvmlResult<Integer> maxMigDevices(NvmlDevice device);

  /** The MIG instance at this place; {@link NvmlReturn#NOT_FOUND} if the place is not taken. */
  NvmlResult<NvmlDevice> migDeviceByIndex(NvmlDevice device, int index);

  /** Size of a MIG instance. */
  NvmlResult<MigAttributes> migAttributes(NvmlDevice device);

  /** What the GPU asks for; an error before driver 570. */
  NvmlResult<RecoveryAction> recoveryAction(NvmlDevice device);

  /** Rows of memory replaced; an error before Ampere, and while the GPU is divided. */
  NvmlResult<RemappedRows> remappedRows(NvmlDevice device);
}
