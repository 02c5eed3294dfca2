package io.quotashare.agent.inventory;

import static java.util.Map.entry;

import io.quotashare.agent.nvml.NvmlReturn;
import io.quotashare.agent.nvml.NvmlReturn.Meaning;
import io.quotashare.agent.nvml.RecoveryAction;
import io.quotashare.agent.nvml.RemappedRows;
import java.util.Map;
import java.util.Optional;

/**
 * Words for what is wrong with a device: a word in capitals for programs and dashboards, then what
 * it means and what an operator can do.
 */
final class DeviceHealth {
  /** The driver has ceased to list it, without an error: seen when a GPU falls off the bus. */
  static final String NOT_LISTED =
      "LOST: the driver lists it no longer; look for XID 79 in the kernel log, and reboot the host";

  /** Its MIG mode is other after the next reset than now. */
  static final String MIG_MODE_CHANGES =
      "MIG_MODE_CHANGES: its MIG mode changes at the next reset; reset the GPU while it is idle";

  private static final Map<NvmlReturn, String> BY_CODE =
      Map.ofEntries(
          entry(
              NvmlReturn.GPU_IS_LOST,
              "LOST: the GPU has fallen off the bus; look for XID 79 in the kernel log, and reboot the host"),
          entry(NvmlReturn.RESET_REQUIRED, "NEEDS_RESET: reset the GPU (nvidia-smi --gpu-reset)"),
          entry(
              NvmlReturn.CORRUPTED_INFOROM,
              "DEGRADED: the infoROM of the GPU is corrupted; have the GPU checked"),
          entry(
              NvmlReturn.INSUFFICIENT_POWER,
              "DEGRADED: the GPU has too little power; check its power cables"),
          entry(
              NvmlReturn.IRQ_ISSUE,
              "DEGRADED: the kernel has found an interrupt problem with the GPU; check the kernel log"),
          entry(
              NvmlReturn.OPERATING_SYSTEM,
              "ACCESS_DENIED: the operating system refuses access; check the device cgroup and the"
                  + " rights on /dev/nvidia*"),
          entry(
              NvmlReturn.NO_PERMISSION,
              "ACCESS_DENIED: the agent may not use the GPU; check the rights on /dev/nvidia*"),
          entry(
              NvmlReturn.UNKNOWN,
              "UNKNOWN: the driver answers with an unknown error, three times in a row; check the"
                  + " kernel log"));

  private DeviceHealth() {}

  /** What a code says of the device it was returned for; empty if it is no fault of the device. */
  static Optional<String> fault(NvmlReturn code) {
    return code.meaning() == Meaning.DEVICE_FAULT
        ? Optional.of(unreadable(code))
        : Optional.empty();
  }

  /** Words for a device that could not be reached at all, whatever the code. */
  static String unreadable(NvmlReturn code) {
    return BY_CODE.getOrDefault(code, "UNKNOWN: the GPU cannot be read: " + code.text());
  }

  /** What the GPU asks for; empty if it asks for nothing. */
  static Optional<String> fault(RecoveryAction action) {
    return action.allowsUse() ? Optional.empty() : Optional.of("NEEDS_RESET: " + action.advice());
  }

  /** What its replaced rows of memory say of the GPU. */
  static Optional<String> fault(RemappedRows rows) {
    if (rows.failed()) {
      return Optional.of(
          "DEGRADED: a row of memory could not be replaced; the GPU has to be replaced");
    }
    return rows.pending()
        ? Optional.of("NEEDS_RESET: a row of memory is replaced at the next reset of the GPU")
        : Optional.empty();
  }

  /** Words for a device that was fine when the library still answered. */
  static String whileUnusable(NvmlState state) {
    return state.name() + ": the device library cannot be used";
  }
}
