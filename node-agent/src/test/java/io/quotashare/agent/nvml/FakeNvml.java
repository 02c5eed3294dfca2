package io.quotashare.agent.nvml;

import io.quotashare.agent.nvml.ScriptedDevices.Device;
import io.quotashare.agent.nvml.ScriptedDevices.Fault;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** NVML in memory, driven by the same scripts as the C library. */
public final class FakeNvml implements NvmlApi, NvmlScript {
  private static final int PLACES = 7;

  private ScriptedDevices devices;
  private int initialised;

  /** A library with this script. */
  public FakeNvml(String... lines) {
    devices = new ScriptedDevices(lines);
  }

  @Override
  public synchronized void config(String... lines) {
    devices = new ScriptedDevices(lines);
    notifyAll();
  }

  @Override
  public NvmlLoader loader() {
    return () ->
        new NvmlLoader.Session() {
          @Override
          public NvmlApi api() {
            return FakeNvml.this;
          }

          @Override
          public void close() {}
        };
  }

  @Override
  public synchronized NvmlReturn init() {
    NvmlReturn code = enter("nvmlInit_v2", null);
    initialised += code == NvmlReturn.SUCCESS ? 1 : 0;
    return code;
  }

  @Override
  public synchronized NvmlReturn shutdown() {
    NvmlReturn code = inUse("nvmlShutdown", null);
    initialised -= code == NvmlReturn.SUCCESS ? 1 : 0;
    return code;
  }

  @Override
  public NvmlResult<String> driverVersion() {
    return answer("nvmlSystemGetDriverVersion", () -> NvmlResult.of("stub " + devices.driver));
  }

  @Override
  public synchronized NvmlResult<String> libraryVersion() {
    NvmlReturn code = enter("nvmlSystemGetNVMLVersion", null);
    return code == NvmlReturn.SUCCESS
        ? NvmlResult.of("stub 12." + devices.driver)
        : NvmlResult.error(code);
  }

  @Override
  public NvmlResult<Integer> deviceCount() {
    return answer("nvmlDeviceGetCount_v2", () -> NvmlResult.of(devices.listed().size()));
  }

  @Override
  public synchronized NvmlResult<NvmlDevice> deviceByIndex(int index) {
    List<Device> listed = devices.listed();
    if (index >= listed.size()) {
      return NvmlResult.error(NvmlReturn.INVALID_ARGUMENT);
    }
    NvmlReturn code = inUse("nvmlDeviceGetHandleByIndex_v2", listed.get(index));
    return code == NvmlReturn.SUCCESS
        ? NvmlResult.of(handle(listed.get(index).number, 0))
        : NvmlResult.error(code);
  }

  @Override
  public synchronized NvmlResult<NvmlDevice> deviceByUuid(String uuid) {
    for (Device gpu : devices.listed()) {
      NvmlDevice found = gpu.uuid.equals(uuid) ? handle(gpu.number, 0) : null;
      for (int place = 0; place < PLACES; place++) {
        Device instance = gpu.instances.get(place);
        found =
            instance != null && instance.uuid.equals(uuid) ? handle(gpu.number, place + 1) : found;
      }
      if (found != null) {
        NvmlReturn code = inUse("nvmlDeviceGetHandleByUUID", gpu);
        return code == NvmlReturn.SUCCESS ? NvmlResult.of(found) : NvmlResult.error(code);
      }
    }
    return NvmlResult.error(NvmlReturn.NOT_FOUND);
  }

  @Override
  public NvmlResult<String> uuid(NvmlDevice device) {
    return of("nvmlDeviceGetUUID", device, d -> NvmlResult.of(d.uuid));
  }

  @Override
  public NvmlResult<String> name(NvmlDevice device) {
    return of("nvmlDeviceGetName", device, d -> NvmlResult.of(d.name));
  }

  @Override
  public NvmlResult<Integer> minorNumber(NvmlDevice device) {
    return of("nvmlDeviceGetMinorNumber", device, d -> NvmlResult.of(d.minor));
  }

  @Override
  public NvmlResult<PciInfo> pciInfo(NvmlDevice device) {
    return of("nvmlDeviceGetPciInfo_v3", device, d -> NvmlResult.of(PciInfo.of(d.busId, d.pciId)));
  }

  @Override
  public NvmlResult<MemoryInfo> memory(NvmlDevice device) {
    return of(
        "nvmlDeviceGetMemoryInfo_v2",
        device,
        d ->
            NvmlResult.of(
                new MemoryInfo(d.memoryMib << 20, (d.usedMib + d.processMib) << 20, false)));
  }

  @Override
  public NvmlResult<List<Integer>> computeProcesses(NvmlDevice device) {
    return pids("nvmlDeviceGetComputeRunningProcesses_v3", device, "process");
  }

  @Override
  public NvmlResult<List<Integer>> graphicsProcesses(NvmlDevice device) {
    return pids("nvmlDeviceGetGraphicsRunningProcesses_v3", device, "graphics_process");
  }

  @Override
  public NvmlResult<List<Integer>> mpsProcesses(NvmlDevice device) {
    return pids("nvmlDeviceGetMPSComputeRunningProcesses_v3", device, "mps_process");
  }

  private NvmlResult<List<Integer>> pids(String function, NvmlDevice device, String kind) {
    return of(
        function, device, d -> NvmlResult.of(List.copyOf(d.pids.getOrDefault(kind, List.of()))));
  }

  @Override
  public NvmlResult<MigMode> migMode(NvmlDevice device) {
    return of("nvmlDeviceGetMigMode", device, d -> NvmlResult.of(new MigMode(d.mig, d.migPending)));
  }

  @Override
  public NvmlResult<Integer> maxMigDevices(NvmlDevice device) {
    return of("nvmlDeviceGetMaxMigDeviceCount", device, d -> NvmlResult.of(PLACES));
  }

  @Override
  public NvmlResult<NvmlDevice> migDeviceByIndex(NvmlDevice device, int index) {
    return of(
        "nvmlDeviceGetMigDeviceHandleByIndex",
        device,
        d ->
            d.instances.containsKey(index)
                ? NvmlResult.of(handle(d.number, index + 1))
                : NvmlResult.error(NvmlReturn.NOT_FOUND));
  }

  @Override
  public NvmlResult<MigAttributes> migAttributes(NvmlDevice device) {
    return of(
        "nvmlDeviceGetAttributes_v2",
        device,
        d -> {
          int slices = Integer.parseInt(d.name.replaceAll(".* MIG ([0-9]+)g.*", "$1"));
          return NvmlResult.of(new MigAttributes(slices, slices, d.memoryMib));
        });
  }

  @Override
  public NvmlResult<RecoveryAction> recoveryAction(NvmlDevice device) {
    return of(
        "nvmlDeviceGetFieldValues", device, d -> NvmlResult.of(RecoveryAction.of(d.recovery)));
  }

  @Override
  public NvmlResult<RemappedRows> remappedRows(NvmlDevice device) {
    return of(
        "nvmlDeviceGetRemappedRows",
        device,
        d ->
            d.mig
                ? NvmlResult.error(NvmlReturn.NOT_SUPPORTED)
                : NvmlResult.of(new RemappedRows(d.remapPending, d.remapFailed)));
  }

  /** A handle says which GPU of the script it is, and which place of it, if it is an instance. */
  private static NvmlDevice handle(int number, int placePlusOne) {
    return new NvmlDevice((number + 1) * 100L + placePlusOne);
  }

  private synchronized <T> NvmlResult<T> of(
      String function, NvmlDevice handle, Function<Device, NvmlResult<T>> body) {
    Device gpu = devices.all.get((int) (handle.address() / 100) - 1);
    NvmlReturn code = inUse(function, gpu);
    if (code != NvmlReturn.SUCCESS) {
      return NvmlResult.error(code);
    }
    int place = (int) (handle.address() % 100) - 1;
    Device device = place < 0 ? gpu : gpu.instances.get(place);
    return device == null ? NvmlResult.error(NvmlReturn.INVALID_ARGUMENT) : body.apply(device);
  }

  private synchronized <T> NvmlResult<T> answer(String function, Supplier<NvmlResult<T>> body) {
    NvmlReturn code = inUse(function, null);
    return code == NvmlReturn.SUCCESS ? body.get() : NvmlResult.error(code);
  }

  private NvmlReturn inUse(String function, @Nullable Device gpu) {
    NvmlReturn code = enter(function, gpu);
    return code == NvmlReturn.SUCCESS && initialised == 0 ? NvmlReturn.UNINITIALIZED : code;
  }

  /**
   * What a fault of the script wants; a hanging call waits here, without the lock, until the script
   * is replaced.
   */
  private NvmlReturn enter(String function, @Nullable Device gpu) {
    int counted = 1;
    while (true) {
      Fault fault = fault(function, gpu, counted);
      if (fault == null || !fault.hang) {
        return fault == null ? NvmlReturn.SUCCESS : NvmlReturn.of(fault.rc);
      }
      counted = 0;
      try {
        wait();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private @Nullable Fault fault(String function, @Nullable Device gpu, int counted) {
    for (Fault fault : devices.faults) {
      boolean forFunction = fault.function.isEmpty() || fault.function.equals(function);
      boolean forDevice = fault.device < 0 || (gpu != null && fault.device == gpu.number);
      if (forFunction && forDevice) {
        fault.calls += counted;
        if (fault.calls > fault.after) {
          return fault;
        }
      }
    }
    return null;
  }
}
