package io.quotashare.agent.inventory;

import io.quotashare.agent.nvml.NvmlApi;
import io.quotashare.agent.nvml.NvmlDevice;
import io.quotashare.agent.nvml.NvmlResult;
import io.quotashare.agent.nvml.NvmlReturn;
import io.quotashare.agent.nvml.NvmlReturn.Meaning;
import io.quotashare.agent.nvml.RecoveryAction;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads what occupies a device. Whatever leaves a doubt whether a process is on it makes the answer
 * {@link Occupancy.Unknown}; only what a device or driver does not have at all (MPS, graphics)
 * counts as empty.
 */
final class OccupancyReader {
  private OccupancyReader() {}

  /**
   * Asks the driver.
   *
   * @param device GPU or MIG instance
   * @param gpu the same GPU, or that of the instance
   */
  static Occupancy read(NvmlApi nvml, NvmlDevice device, NvmlDevice gpu) {
    NvmlResult<List<Integer>> compute = nvml.computeProcesses(device);
    if (!compute.ok()) {
      return unknown("compute processes", compute.code());
    }
    Set<Integer> pids = new TreeSet<>(compute.get());
    for (NvmlResult<List<Integer>> more :
        List.of(nvml.graphicsProcesses(device), nvml.mpsProcesses(device))) {
      if (more.ok()) {
        pids.addAll(more.get());
      } else if (!isAbsent(more.code())) {
        return unknown("graphics and MPS processes", more.code());
      }
    }
    NvmlResult<RecoveryAction> action = nvml.recoveryAction(gpu);
    if (action.code().meaning() == Meaning.DEVICE_FAULT) {
      return unknown("recovery action", action.code());
    }
    OptionalLong usedBytes =
        nvml.memory(device)
            .optional()
            .map(memory -> OptionalLong.of(memory.usedBytes()))
            .orElseGet(OptionalLong::empty);
    return new Occupancy.Known(
        pids, usedBytes, action.optional().orElse(RecoveryAction.NOT_REPORTED));
  }

  private static boolean isAbsent(NvmlReturn code) {
    return code.meaning() == Meaning.ABSENT || code.meaning() == Meaning.FALL_BACK;
  }

  private static Occupancy unknown(String what, NvmlReturn code) {
    String advice =
        code.meaning() == Meaning.RESTRICTED
            ? "; the agent needs more rights (run it as root)"
            : "";
    return new Occupancy.Unknown(
        "the driver does not tell the " + what + ": " + code.text() + advice);
  }
}
