package io.quotashare.agent.inventory;

import io.quotashare.agent.nvml.NvmlApi;
import io.quotashare.agent.nvml.NvmlResult;
import io.quotashare.agent.nvml.NvmlReturn;
import io.quotashare.agent.nvml.NvmlReturn.Meaning;
import java.util.ArrayList;
import java.util.List;

/** One look at all GPUs. */
sealed interface Sweep {

  /**
   * The library answers.
   *
   * @param driverVersion driver version; empty if unknown
   * @param readings one for each index
   */
  record Listed(String driverVersion, List<DeviceReading> readings) implements Sweep {}

  /**
   * The library as a whole does not work.
   *
   * @param code why
   */
  record Failed(NvmlReturn code) implements Sweep {}

  /** Looks at every index, whatever is wrong with some: one bad GPU costs only itself. */
  static Sweep run(NvmlApi nvml, UnitTable units) {
    NvmlResult<Integer> count = nvml.deviceCount();
    if (!count.ok()) {
      return new Failed(count.code());
    }
    DeviceReader reader = new DeviceReader(nvml, units);
    List<DeviceReading> readings = new ArrayList<>();
    for (int index = 0; index < count.get(); index++) {
      DeviceReading reading = reader.read(index);
      if (reading instanceof DeviceReading.Unreadable unreadable && ofLibrary(unreadable.code())) {
        return new Failed(unreadable.code());
      }
      readings.add(reading);
    }
    return new Listed(nvml.driverVersion().optional().orElse(""), List.copyOf(readings));
  }

  private static boolean ofLibrary(NvmlReturn code) {
    return code.meaning() == Meaning.LIBRARY_FAULT || code.meaning() == Meaning.REINITIALIZE;
  }
}
