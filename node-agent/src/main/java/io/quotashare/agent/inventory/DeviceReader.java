package io.quotashare.agent.inventory;

import static java.util.Objects.requireNonNull;

import io.quotashare.agent.nvml.MemoryInfo;
import io.quotashare.agent.nvml.MigMode;
import io.quotashare.agent.nvml.NvmlApi;
import io.quotashare.agent.nvml.NvmlDevice;
import io.quotashare.agent.nvml.NvmlResult;
import io.quotashare.agent.nvml.NvmlReturn;
import io.quotashare.agent.nvml.NvmlReturn.Meaning;
import io.quotashare.agent.nvml.PciInfo;
import io.quotashare.agent.nvml.RecoveryAction;
import io.quotashare.agent.nvml.RemappedRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Reads one GPU: everything about it that the inventory wants. A thing that the driver cannot tell
 * is left out.
 */
final class DeviceReader {
  private final NvmlApi nvml;
  private final UnitTable units;

  DeviceReader(NvmlApi nvml, UnitTable units) {
    this.nvml = requireNonNull(nvml, "nvml is null");
    this.units = requireNonNull(units, "units is null");
  }

  /**
   * Reads the GPU at this index. Its handle is asked for anew, since an old one may have become
   * void.
   */
  DeviceReading read(int index) {
    NvmlResult<NvmlDevice> handle = nvml.deviceByIndex(index);
    if (!handle.ok()) {
      return new DeviceReading.Unreadable(index, handle.code());
    }
    NvmlResult<String> uuid = nvml.uuid(handle.get());
    if (!uuid.ok()) {
      return new DeviceReading.Unreadable(index, uuid.code());
    }
    Gpu gpu = gpu(index, handle.get(), uuid.get());
    return switch (gpu.mig().code().meaning()) {
      case OK -> gpu.mig().get().enabled() ? instances(gpu) : whole(gpu, true);
      case ABSENT, FALL_BACK -> whole(gpu, true);
      case DEVICE_FAULT -> whole(gpu, false);
      // A divided GPU that is taken for a whole one would be given out twice.
      case REINITIALIZE, RESTRICTED, GROW, LIBRARY_FAULT, TRANSIENT, UNEXPLAINED ->
          new DeviceReading.Unreadable(index, gpu.mig().code());
    };
  }

  /** What all devices of a GPU have in common. */
  private record Gpu(
      int index,
      NvmlDevice handle,
      String uuid,
      String model,
      String unit,
      long memoryBytes,
      String busId,
      int minorNumber,
      NvmlResult<MigMode> mig,
      Optional<String> fault) {}

  private Gpu gpu(int index, NvmlDevice handle, String uuid) {
    NvmlResult<String> name = nvml.name(handle);
    NvmlResult<PciInfo> pci = nvml.pciInfo(handle);
    NvmlResult<MemoryInfo> memory = nvml.memory(handle);
    NvmlResult<Integer> minor = nvml.minorNumber(handle);
    NvmlResult<MigMode> mig = nvml.migMode(handle);
    NvmlResult<RecoveryAction> action = nvml.recoveryAction(handle);
    NvmlResult<RemappedRows> rows = nvml.remappedRows(handle);

    Optional<String> fault =
        Stream.of(
                Stream.of(name, pci, memory, mig, action, rows)
                    .map(NvmlResult::code)
                    .flatMap(code -> DeviceHealth.fault(code).stream()),
                action.optional().flatMap(DeviceHealth::fault).stream(),
                rows.optional().flatMap(DeviceHealth::fault).stream(),
                mig
                    .optional()
                    .filter(MigMode::changes)
                    .map(mode -> DeviceHealth.MIG_MODE_CHANGES)
                    .stream())
            .flatMap(stream -> stream)
            .findFirst();
    String model = name.optional().orElse("");
    OptionalInt deviceId =
        pci.optional().map(info -> OptionalInt.of(info.deviceId())).orElseGet(OptionalInt::empty);
    return new Gpu(
        index,
        handle,
        uuid,
        model,
        units.unit(deviceId, model),
        memory.optional().map(MemoryInfo::totalBytes).orElse(0L),
        pci.optional().map(PciInfo::busId).orElse(""),
        minor.optional().orElse(-1),
        mig,
        fault);
  }

  private DeviceReading whole(Gpu gpu, boolean complete) {
    Occupancy occupancy = OccupancyReader.read(nvml, gpu.handle(), gpu.handle());
    GpuDevice device = device(gpu, gpu.uuid(), gpu.unit(), gpu.model(), gpu.memoryBytes());
    return new DeviceReading.Found(
        gpu.index(),
        gpu.uuid(),
        List.of(new DeviceReading.Entry(device, occupancy)),
        complete,
        warning(occupancy, gpu.uuid()));
  }

  /** The places of a divided GPU have holes: a place that is not taken is no error. */
  private DeviceReading instances(Gpu gpu) {
    NvmlResult<Integer> places = nvml.maxMigDevices(gpu.handle());
    List<DeviceReading.Entry> entries = new ArrayList<>();
    Optional<NvmlReturn> failure = places.ok() ? Optional.empty() : Optional.of(places.code());
    Optional<String> warning = Optional.empty();
    for (int place = 0; place < places.optional().orElse(0); place++) {
      NvmlResult<DeviceReading.Entry> entry = instance(gpu, place);
      if (entry.ok()) {
        entries.add(entry.get());
        warning = warning.or(() -> warning(entry.get().occupancy(), entry.get().device().uuid()));
      } else if (entry.code().meaning() != Meaning.ABSENT) {
        failure = Optional.of(entry.code());
      }
    }
    if (failure.isPresent()) {
      warning =
          Optional.of(
              "the MIG instances of "
                  + gpu.uuid()
                  + " cannot all be read: "
                  + failure.get().text());
    } else if (entries.isEmpty()) {
      warning =
          Optional.of(
              gpu.uuid()
                  + " is in MIG mode and has no MIG instance: create some (nvidia-smi mig -cgi), or"
                  + " disable MIG mode");
    }
    return new DeviceReading.Found(
        gpu.index(), gpu.uuid(), List.copyOf(entries), failure.isEmpty(), warning);
  }

  private NvmlResult<DeviceReading.Entry> instance(Gpu gpu, int place) {
    NvmlResult<NvmlDevice> handle = nvml.migDeviceByIndex(gpu.handle(), place);
    if (!handle.ok()) {
      return NvmlResult.error(handle.code());
    }
    NvmlResult<String> uuid = nvml.uuid(handle.get());
    if (!uuid.ok()) {
      return NvmlResult.error(uuid.code());
    }
    String name = nvml.name(handle.get()).optional().orElse("");
    Optional<String> profile =
        MigProfile.ofName(name)
            .or(
                () ->
                    nvml.migAttributes(handle.get())
                        .optional()
                        .filter(attributes -> gpu.memoryBytes() > 0)
                        .map(size -> MigProfile.ofAttributes(size, gpu.memoryBytes())));
    if (profile.isEmpty()) {
      // Without its profile its unit would be wrong.
      return NvmlResult.error(NvmlReturn.UNKNOWN);
    }
    long bytes = nvml.memory(handle.get()).optional().map(MemoryInfo::totalBytes).orElse(0L);
    GpuDevice device = device(gpu, uuid.get(), gpu.unit() + "-" + profile.get(), name, bytes);
    return NvmlResult.of(
        new DeviceReading.Entry(device, OccupancyReader.read(nvml, handle.get(), gpu.handle())));
  }

  private static GpuDevice device(Gpu gpu, String uuid, String unit, String model, long bytes) {
    return new GpuDevice(
        uuid,
        gpu.index(),
        unit,
        model,
        bytes,
        gpu.fault().isEmpty(),
        gpu.fault().orElse(""),
        false,
        gpu.busId(),
        gpu.minorNumber());
  }

  private static Optional<String> warning(Occupancy occupancy, String uuid) {
    return occupancy instanceof Occupancy.Unknown unknown
        ? Optional.of(uuid + ": " + unknown.reason())
        : Optional.empty();
  }
}
