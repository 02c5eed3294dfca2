package io.quotashare.agent.inventory;

/**
 * State of the device library on this host. Only {@link #OK} lets an attempt start; no other state
 * stops an attempt that runs. The names travel in {@code Inventory.nvml_state} of the contract.
 */
public enum NvmlState {
  /** The library answers and lists at least one device. */
  OK,
  /** The library answers and lists no device. */
  NO_DEVICES,
  /** No usable {@code libnvidia-ml.so.1} was found. */
  LIBRARY_NOT_FOUND,
  /** The library is there, the kernel driver is not loaded. */
  DRIVER_NOT_LOADED,
  /** Library and kernel driver are of different versions, as during a driver upgrade. */
  DRIVER_MISMATCH,
  /** A call has not returned within its deadline. No further call is made until it does. */
  NVML_STUCK,
  /** The library answers with an error that no other state describes. */
  NVML_FAILED
}
