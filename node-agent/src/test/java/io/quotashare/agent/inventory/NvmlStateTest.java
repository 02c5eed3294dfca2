package io.quotashare.agent.inventory;

import static io.quotashare.agent.nvml.NvmlReturn.DRIVER_NOT_LOADED;
import static io.quotashare.agent.nvml.NvmlReturn.LIBRARY_NOT_FOUND;
import static io.quotashare.agent.nvml.NvmlReturn.LIB_RM_VERSION_MISMATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.quotashare.agent.inventory.ScriptedInventory.Library;
import io.quotashare.agent.nvml.FakeNvml;
import io.quotashare.agent.nvml.JnaNvmlLoader;
import io.quotashare.agent.nvml.NvmlLoader;
import io.quotashare.agent.nvml.NvmlReturn;
import io.quotashare.agent.nvml.NvmlUnavailableException;
import io.quotashare.agent.nvml.NvmlUnavailableException.Missing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** Every state of the library: how it comes about, what it says, and how it goes away. */
class NvmlStateTest {
  private static final String[] TWO = {"devices 2", "device 0 uuid GPU-a", "device 1 uuid GPU-b"};

  @TempDir Path folder;

  static Stream<Arguments> codesOfInit() {
    Map<NvmlReturn, NvmlState> states = new EnumMap<>(NvmlReturn.class);
    Arrays.stream(NvmlReturn.values())
        .filter(code -> code != NvmlReturn.SUCCESS)
        .forEach(code -> states.put(code, NvmlState.NVML_FAILED));
    states.put(DRIVER_NOT_LOADED, NvmlState.DRIVER_NOT_LOADED);
    states.put(LIB_RM_VERSION_MISMATCH, NvmlState.DRIVER_MISMATCH);
    states.put(LIBRARY_NOT_FOUND, NvmlState.LIBRARY_NOT_FOUND);
    return states.entrySet().stream()
        .flatMap(
            entry ->
                Arrays.stream(Library.values())
                    .map(library -> arguments(library, entry.getKey(), entry.getValue())));
  }

  @ParameterizedTest
  @MethodSource("codesOfInit")
  void codeOfTheInitialisationIsAStateAndGoesAway(Library library, NvmlReturn code, NvmlState state)
      throws Exception {
    String[] broken = with(TWO, "fault function nvmlInit_v2 rc " + code.code());
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, broken)) {
      Inventory inventory = host.sweep();
      assertThat(inventory.state()).isEqualTo(state);
      assertThat(inventory.devices()).isEmpty();
      assertThat(inventory.detail())
          .contains(code.text())
          .contains("library stub 12.570.00")
          .contains("attempts that run go on, none is started")
          .contains("no /dev/nvidiactl");
      assertThat(host.sweep(TWO).state()).isEqualTo(NvmlState.OK);
    }
  }

  static Stream<Arguments> codesOfAHandle() {
    Map<NvmlReturn, String> words = new EnumMap<>(NvmlReturn.class);
    Arrays.stream(NvmlReturn.values()).forEach(code -> words.put(code, "UNKNOWN"));
    words.put(NvmlReturn.GPU_IS_LOST, "LOST");
    words.put(NvmlReturn.RESET_REQUIRED, "NEEDS_RESET");
    words.put(NvmlReturn.CORRUPTED_INFOROM, "DEGRADED");
    words.put(NvmlReturn.INSUFFICIENT_POWER, "DEGRADED");
    words.put(NvmlReturn.IRQ_ISSUE, "DEGRADED");
    words.put(NvmlReturn.OPERATING_SYSTEM, "ACCESS_DENIED");
    words.put(NvmlReturn.NO_PERMISSION, "ACCESS_DENIED");
    words.remove(NvmlReturn.SUCCESS);
    // These say something of the library, not of one device.
    words
        .keySet()
        .removeAll(
            Set.of(
                NvmlReturn.UNINITIALIZED,
                DRIVER_NOT_LOADED,
                LIBRARY_NOT_FOUND,
                LIB_RM_VERSION_MISMATCH));
    return words.entrySet().stream()
        .flatMap(
            entry ->
                Arrays.stream(Library.values())
                    .map(library -> arguments(library, entry.getKey(), entry.getValue())));
  }

  @ParameterizedTest
  @MethodSource("codesOfAHandle")
  void codeOfADeviceIsItsHealthAndNobodyElses(Library library, NvmlReturn code, String word)
      throws Exception {
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, TWO)) {
      host.sweep();
      String fault = "fault function nvmlDeviceGetHandleByIndex_v2 device 1 rc " + code.code();
      host.script.config(with(TWO, fault));
      for (int strike = 1; strike <= KnownDevices.STRIKES_MAX; strike++) {
        host.sweep();
      }
      assertThat(host.source.current().state()).isEqualTo(NvmlState.OK);
      assertThat(host.device("GPU-a").healthy()).isTrue();
      assertThat(host.device("GPU-b").healthDetail()).startsWith(word + ": ");
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void upgradeOfTheDriverUnderARunningAgentPlacesNothingAndPasses(Library library)
      throws Exception {
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, TWO)) {
      host.sweep();
      Inventory inventory =
          host.sweep(
              with(
                  TWO,
                  "fault function nvmlDeviceGetCount_v2 rc 18",
                  "fault function nvmlInit_v2 rc 18"));
      assertThat(inventory.state()).isEqualTo(NvmlState.DRIVER_MISMATCH);
      assertThat(inventory.driverVersion()).isEqualTo("stub 570.00");
      assertThat(inventory.devices())
          .hasSize(2)
          .allMatch(device -> device.healthDetail().startsWith("DRIVER_MISMATCH: "));
      assertThat(host.sweep().state()).isEqualTo(NvmlState.DRIVER_MISMATCH);
      Inventory after = host.sweep(with(TWO, "driver 575.10"));
      assertThat(after.state()).isEqualTo(NvmlState.OK);
      assertThat(after.driverVersion()).isEqualTo("stub 575.10");
      assertThat(after.devices()).hasSize(2).allMatch(GpuDevice::healthy);
    }
  }

  @Test
  void libraryThatWasResetUnderTheAgentIsInitialisedAgainAtOnce() throws Exception {
    FakeNvml fake = new FakeNvml(TWO);
    try (ScriptedInventory host = ScriptedInventory.of(fake, fake.loader(), folder)) {
      host.sweep();
      fake.shutdown();
      assertThat(host.sweep().state()).isEqualTo(NvmlState.OK);
      assertThat(host.published).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void libraryThatStaysUninitialisedIsAFailureAndTriedAgain(Library library) throws Exception {
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, TWO)) {
      host.sweep();
      Inventory inventory = host.sweep(with(TWO, "fault function nvmlDeviceGetCount_v2 rc 1"));
      assertThat(inventory.state()).isEqualTo(NvmlState.NVML_FAILED);
      assertThat(inventory.detail()).contains("ceased to be initialised");
      assertThat(host.sweep(TWO).state()).isEqualTo(NvmlState.OK);
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void hostWithoutAGpuSaysSoAndKeepsTrying(Library library) throws Exception {
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, "devices 0")) {
      Inventory inventory = host.sweep();
      assertThat(inventory.state()).isEqualTo(NvmlState.NO_DEVICES);
      assertThat(inventory.detail()).contains("this host has no NVIDIA GPU");
      assertThat(host.sweep(TWO).devices()).hasSize(2);
    }
  }

  @Test
  void gpuThatNoDriverHasTakenIsNoAbsentGpu() throws Exception {
    Path gpu = Files.createDirectories(folder.resolve("host/sys/bus/pci/devices/0000:3b:00.0"));
    Files.writeString(gpu.resolve("vendor"), "0x10de\n");
    Files.writeString(gpu.resolve("class"), "0x030200\n");
    try (ScriptedInventory host = ScriptedInventory.of(Library.FAKE, folder, "devices 0")) {
      Inventory inventory = host.sweep();
      assertThat(inventory.state()).isEqualTo(NvmlState.NO_DEVICES);
      assertThat(inventory.detail())
          .contains("the driver has taken none of them")
          .contains("1 NVIDIA GPU(s) on its PCI bus");
    }
  }

  @Test
  void missingLibraryIsNamedAndFoundOnceItIsThere() throws Exception {
    Path library = folder.resolve("later/libnvidia-ml.so.1");
    FakeNvml fake = new FakeNvml(TWO);
    NvmlLoader loader =
        () ->
            Files.exists(library)
                ? fake.loader().open()
                : new JnaNvmlLoader(Optional.of(library)).open();
    try (ScriptedInventory host = ScriptedInventory.of(fake, loader, folder)) {
      Inventory inventory = host.sweep();
      assertThat(inventory.state()).isEqualTo(NvmlState.LIBRARY_NOT_FOUND);
      assertThat(inventory.detail()).contains(library.toString()).contains("does not exist");
      Files.createDirectories(library.getParent());
      Files.writeString(library, "");
      assertThat(host.sweep().state()).isEqualTo(NvmlState.OK);
    }
  }

  @Test
  void jnaThatCannotLoadItselfIsNoMissingDriver() throws Exception {
    NvmlLoader loader =
        () -> {
          throw new NvmlUnavailableException(Missing.JNA, "set -Djna.tmpdir");
        };
    try (ScriptedInventory host = ScriptedInventory.of(new FakeNvml(), loader, folder)) {
      assertThat(host.sweep().state()).isEqualTo(NvmlState.NVML_FAILED);
      assertThat(host.sweep().detail()).contains("set -Djna.tmpdir");
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void hangingCallIsAStateAndNobodyWaitsForIt(Library library) throws Exception {
    try (ScriptedInventory host = ScriptedInventory.impatient(library, folder, TWO)) {
      await().untilAsserted(() -> assertThat(host.sweep().state()).isEqualTo(NvmlState.OK));
      Inventory stuck = host.sweep(with(TWO, "fault device 1 hang"));
      assertThat(stuck.state()).isEqualTo(NvmlState.NVML_STUCK);
      assertThat(stuck.detail()).contains("has not returned").contains("attempts that run go on");
      assertThat(stuck.devices())
          .hasSize(2)
          .allMatch(device -> device.healthDetail().startsWith("NVML_STUCK: "));
      int threads = Thread.activeCount();
      for (int i = 0; i < 100; i++) {
        assertThat(host.sweep().state()).isEqualTo(NvmlState.NVML_STUCK);
        assertThat(host.source.occupancy("GPU-a"))
            .isInstanceOfSatisfying(
                Occupancy.Unknown.class, u -> assertThat(u.reason()).contains("has not returned"));
      }
      assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads);

      host.script.config(TWO);
      await()
          .untilAsserted(
              () -> {
                Inventory inventory = host.sweep();
                assertThat(inventory.state()).isEqualTo(NvmlState.OK);
                assertThat(inventory.devices()).allMatch(GpuDevice::healthy);
              });
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void initialisationThatHangsAndReturnsIsUsed(Library library) throws Exception {
    try (ScriptedInventory host =
        ScriptedInventory.impatient(
            library, folder, with(TWO, "fault function nvmlInit_v2 hang"))) {
      assertThat(host.sweep().state()).isEqualTo(NvmlState.NVML_STUCK);
      assertThat(host.source.current().detail()).contains("nvmlInit");
      host.script.config(TWO);
      await().untilAsserted(() -> assertThat(host.sweep().state()).isEqualTo(NvmlState.OK));
    }
  }

  @Test
  void triesAreFurtherAndFurtherApartAndNeverCease() throws Exception {
    String broken = "fault function nvmlInit_v2 rc 9";
    try (ScriptedInventory host = ScriptedInventory.of(Library.FAKE, folder, broken)) {
      long[] pauses = new long[8];
      for (int i = 0; i < pauses.length; i++) {
        host.sweep();
        pauses[i] = host.pause.toMillis();
      }
      assertThat(pauses).containsExactly(100, 200, 400, 800, 1000, 1000, 1000, 1000);
      assertThat(host.published).hasSize(1);
      host.sweep(TWO);
      assertThat(host.pause).isEqualTo(Duration.ofMillis(100));
      host.sweep(broken, "fault function nvmlDeviceGetCount_v2 rc 9");
      assertThat(host.pause).isEqualTo(Duration.ofMillis(100));
    }
  }

  @Test
  void faultOfTheBindingItselfIsAStateToo() throws Exception {
    NvmlLoader loader =
        () -> {
          throw new IllegalStateException("a bug");
        };
    Logger log = (Logger) LoggerFactory.getLogger(NvmlInventorySource.class);
    log.setLevel(Level.OFF);
    try (ScriptedInventory host = ScriptedInventory.of(new FakeNvml(), loader, folder)) {
      assertThat(host.sweep().state()).isEqualTo(NvmlState.NVML_FAILED);
      assertThat(host.source.current().detail()).contains("a bug");
    } finally {
      log.setLevel(null);
    }
  }

  private static String[] with(String[] lines, String... more) {
    return Stream.concat(Arrays.stream(lines), Arrays.stream(more)).toArray(String[]::new);
  }
}
