package io.quotashare.agent.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The binding against the stand-in library, call by call. */
class JnaNvmlTest {
  private static final String[] THREE_PROCESSES = {
    "devices 1", "device 0 process 111", "device 0 process 222", "device 0 process 333 2048"
  };

  @TempDir Path folder;

  @Test
  void readsEverythingOfADevice() throws Exception {
    NvmlApi nvml =
        StubNvml.in(
                folder,
                "driver 570.86.15",
                "devices 2",
                "device 1 uuid GPU-b",
                "device 1 minor 7",
                "device 1 bus_id 00000001:3B:00.0",
                "device 1 used_mib 300",
                "device 1 graphics_process 444 10",
                "device 1 mps_process 555 20",
                "device 1 remapped pending",
                "device 1 recovery 1")
            .open();
    assertThat(nvml.driverVersion().get()).isEqualTo("stub 570.86.15");
    assertThat(nvml.libraryVersion().get()).isEqualTo("stub 12.570.86.15");
    assertThat(nvml.deviceCount().get()).isEqualTo(2);
    NvmlDevice device = nvml.deviceByIndex(1).get();
    assertThat(nvml.deviceByUuid("GPU-b").get()).isEqualTo(device);
    assertThat(nvml.uuid(device).get()).isEqualTo("GPU-b");
    assertThat(nvml.name(device).get()).isEqualTo("NVIDIA H100 80GB HBM3 (stand-in)");
    assertThat(nvml.minorNumber(device).get()).isEqualTo(7);
    assertThat(nvml.pciInfo(device).get())
        .isEqualTo(new PciInfo("00000001:3B:00.0", 0x2330, 0x10DE));
    assertThat(nvml.memory(device).get())
        .isEqualTo(new MemoryInfo(81559L << 20, 330L << 20, false));
    assertThat(nvml.computeProcesses(device).get()).isEmpty();
    assertThat(nvml.graphicsProcesses(device).get()).containsExactly(444);
    assertThat(nvml.mpsProcesses(device).get()).containsExactly(555);
    assertThat(nvml.migMode(device).get()).isEqualTo(new MigMode(false, false));
    assertThat(nvml.remappedRows(device).get()).isEqualTo(new RemappedRows(true, false));
    assertThat(nvml.recoveryAction(device).get()).isEqualTo(RecoveryAction.RESET);
  }

  @Test
  void libraryThatWasShutDownSaysSo() throws Exception {
    NvmlApi nvml = StubNvml.in(folder, "devices 1").open();
    assertThat(nvml.shutdown()).isEqualTo(NvmlReturn.SUCCESS);
    assertThat(nvml.deviceCount().code()).isEqualTo(NvmlReturn.UNINITIALIZED);
  }

  @Test
  void instancesOfADividedGpuHaveHoles() throws Exception {
    NvmlApi nvml =
        StubNvml.in(folder, "devices 1", "device 0 mig 0:1g.10gb 2:1g.10gb 4:3g.40gb").open();
    NvmlDevice gpu = nvml.deviceByIndex(0).get();
    assertThat(nvml.migMode(gpu).get()).isEqualTo(new MigMode(true, true));
    int places = nvml.maxMigDevices(gpu).get();
    assertThat(places).isEqualTo(7);
    assertThat(
            IntStream.range(0, places)
                .filter(place -> nvml.migDeviceByIndex(gpu, place).ok())
                .toArray())
        .containsExactly(0, 2, 4);
    assertThat(nvml.migDeviceByIndex(gpu, 1).code()).isEqualTo(NvmlReturn.NOT_FOUND);
    NvmlDevice instance = nvml.migDeviceByIndex(gpu, 4).get();
    assertThat(nvml.uuid(instance).get()).startsWith("MIG-");
    assertThat(nvml.name(instance).get()).endsWith(" MIG 3g.40gb");
    assertThat(nvml.migAttributes(instance).get()).isEqualTo(new MigAttributes(3, 3, 38912));
    assertThat(nvml.memory(instance).get().totalBytes()).isEqualTo(38912L << 20);
    assertThat(nvml.remappedRows(gpu).code()).isEqualTo(NvmlReturn.NOT_SUPPORTED);
    assertThat(nvml.migAttributes(gpu).code()).isEqualTo(NvmlReturn.NOT_SUPPORTED);
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 24, 32})
  void processesAreRightWhateverTheStride(int stride) throws Exception {
    StubNvml stub = StubNvml.in(folder, THREE_PROCESSES);
    NvmlApi nvml = stub.open();
    NvmlDevice device = nvml.deviceByIndex(0).get();
    assertThat(nvml.computeProcesses(device).get()).containsExactly(111, 222, 333);
    stub.config(with(THREE_PROCESSES, "stride " + stride));
    assertThat(nvml.computeProcesses(device).get()).containsExactly(111, 222, 333);
    stub.config("devices 1", "device 0 process 111", "stride " + stride);
    assertThat(nvml.computeProcesses(device).get()).containsExactly(111);
  }

  @ParameterizedTest
  @CsvSource({"440, false, true", "470, true, true", "510, true, false", "570, true, false"})
  void olderDriversAreAskedByOlderCalls(int generation, boolean mig, boolean usedIncludesReserved)
      throws Exception {
    NvmlApi nvml = StubNvml.generation(generation, folder, THREE_PROCESSES).open();
    NvmlDevice device = nvml.deviceByIndex(0).get();
    assertThat(nvml.computeProcesses(device).get()).containsExactly(111, 222, 333);
    assertThat(nvml.graphicsProcesses(device).get()).isEmpty();
    assertThat(nvml.memory(device).get().usedIncludesReserved()).isEqualTo(usedIncludesReserved);
    assertThat(nvml.mpsProcesses(device).code())
        .isEqualTo(mig ? NvmlReturn.SUCCESS : NvmlReturn.FUNCTION_NOT_FOUND);
    assertThat(nvml.migMode(device).code())
        .isEqualTo(mig ? NvmlReturn.SUCCESS : NvmlReturn.FUNCTION_NOT_FOUND);
    assertThat(nvml.recoveryAction(device).code())
        .isEqualTo(generation >= 570 ? NvmlReturn.SUCCESS : NvmlReturn.NOT_SUPPORTED);
  }

  @ParameterizedTest
  @EnumSource(
      value = NvmlReturn.class,
      names = {"FUNCTION_NOT_FOUND", "ARGUMENT_VERSION_MISMATCH", "DEPRECATED"})
  void callThatTheDriverDoesNotKnowFallsBack(NvmlReturn code) throws Exception {
    StubNvml stub =
        StubNvml.in(
            folder,
            with(
                THREE_PROCESSES,
                fault("nvmlDeviceGetComputeRunningProcesses_v3", code),
                fault("nvmlDeviceGetComputeRunningProcesses_v2", code),
                fault("nvmlDeviceGetMemoryInfo_v2", code)));
    NvmlApi nvml = stub.open();
    NvmlDevice device = nvml.deviceByIndex(0).get();
    assertThat(nvml.computeProcesses(device).get()).containsExactly(111, 222, 333);
    assertThat(nvml.memory(device).get().usedIncludesReserved()).isTrue();
  }

  @Test
  void memoryOfWslIsReadByTheOldCall() throws Exception {
    NvmlApi nvml =
        StubNvml.in(folder, "devices 1", fault("nvmlDeviceGetMemoryInfo_v2", NvmlReturn.UNKNOWN))
            .open();
    assertThat(nvml.memory(nvml.deviceByIndex(0).get()).get().totalBytes()).isEqualTo(81559L << 20);
  }

  @ParameterizedTest
  @EnumSource(
      value = NvmlReturn.class,
      names = {"SUCCESS", "FUNCTION_NOT_FOUND", "ARGUMENT_VERSION_MISMATCH", "DEPRECATED"},
      mode = EnumSource.Mode.EXCLUDE)
  void everyOtherCodeIsPassedOnAsItIs(NvmlReturn code) throws Exception {
    NvmlApi nvml =
        StubNvml.in(
                folder,
                "devices 1",
                fault("nvmlDeviceGetUUID", code),
                fault("nvmlDeviceGetComputeRunningProcesses_v3", code))
            .open();
    NvmlDevice device = nvml.deviceByIndex(0).get();
    assertThat(nvml.uuid(device).code()).isEqualTo(code);
    // The code that asks for a larger buffer is obeyed, and given up after a few tries.
    assertThat(nvml.computeProcesses(device).code()).isEqualTo(code);
  }

  @Test
  void versionWithoutTheSizeOfTheStructIsRefused() throws Exception {
    StubNvml stub = StubNvml.in(folder, "devices 1");
    NvmlLibrary library = Native.load(stub.library().toString(), NvmlLibrary.class);
    assertThat(library.nvmlInit_v2()).isZero();
    PointerByReference device = new PointerByReference();
    assertThat(library.nvmlDeviceGetHandleByIndex_v2(0, device)).isZero();
    NvmlStructs.MemoryV2 memory = new NvmlStructs.MemoryV2();
    memory.version = 2;
    assertThat(NvmlReturn.of(library.nvmlDeviceGetMemoryInfo_v2(device.getValue(), memory)))
        .isEqualTo(NvmlReturn.FUNCTION_NOT_FOUND);
    memory.version = NvmlStructs.versionWord(memory.size(), 3);
    assertThat(NvmlReturn.of(library.nvmlDeviceGetMemoryInfo_v2(device.getValue(), memory)))
        .isEqualTo(NvmlReturn.ARGUMENT_VERSION_MISMATCH);
    assertThat(NvmlReturn.of(library.nvmlDeviceGetMinorNumber(Pointer.NULL, null)))
        .isEqualTo(NvmlReturn.INVALID_ARGUMENT);
  }

  @Test
  void unknownIndexAndUuidAreErrorsNotExceptions() throws Exception {
    NvmlApi nvml = StubNvml.in(folder, "devices 1").open();
    assertThat(nvml.deviceByIndex(1).code()).isEqualTo(NvmlReturn.INVALID_ARGUMENT);
    assertThat(nvml.deviceByUuid("GPU-none").code()).isEqualTo(NvmlReturn.NOT_FOUND);
  }

  @Test
  void wrongConfigurationOfTheStubFailsItsInitialisation() throws Exception {
    StubNvml stub = StubNvml.in(folder, "devices 1", "device 1 minor 0");
    NvmlApi nvml = stub.loader().open().api();
    assertThat(nvml.init()).isEqualTo(NvmlReturn.UNKNOWN);
    stub.config("devices 1", "device 0 minor 0");
    assertThat(nvml.init()).isEqualTo(NvmlReturn.SUCCESS);
    stub.config("devices 3", "nonsense");
    assertThat(nvml.deviceCount().get()).isEqualTo(1);
  }

  private static String fault(String function, NvmlReturn code) {
    return "fault function " + function + " rc " + code.code();
  }

  private static String[] with(String[] lines, String... more) {
    return java.util.stream.Stream.concat(List.of(lines).stream(), List.of(more).stream())
        .toArray(String[]::new);
  }
}
