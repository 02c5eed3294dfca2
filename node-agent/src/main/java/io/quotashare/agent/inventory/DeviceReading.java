package io.quotashare.agent.inventory;

import io.quotashare.agent.nvml.NvmlReturn;
import java.util.List;
import java.util.Optional;

/** What one look found at one index of the driver's list. */
sealed interface DeviceReading {
  /** Index in the driver's present order. */
  int index();

  /**
   * The GPU could not be reached, and so has no name that is known now.
   *
   * @param code why
   */
  record Unreadable(int index, NvmlReturn code) implements DeviceReading {}

  /**
   * The GPU answers.
   *
   * @param gpuUuid its UUID
   * @param devices itself, or its MIG instances
   * @param complete false if it may have MIG instances that could not be read
   * @param warning what an operator should know; empty if nothing
   */
  record Found(
      int index, String gpuUuid, List<Entry> devices, boolean complete, Optional<String> warning)
      implements DeviceReading {}

  /**
   * One schedulable device.
   *
   * @param device as it goes into the inventory, except that {@code outside} is not known here
   * @param occupancy what occupies it
   */
  record Entry(GpuDevice device, Occupancy occupancy) {}
}
