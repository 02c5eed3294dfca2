package io.quotashare.agent.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.agent.inventory.ScriptedInventory.Library;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of devices: found, lost, renumbered, divided, found again. */
class NvmlInventorySourceTest {
  private static final String[] EIGHT = {
    "devices 8",
    "device 0 uuid GPU-a",
    "device 1 uuid GPU-b",
    "device 2 uuid GPU-c",
    "device 3 uuid GPU-d",
    "device 4 uuid GPU-e",
    "device 5 uuid GPU-f",
    "device 6 uuid GPU-g",
    "device 7 uuid GPU-h"
  };

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Library.class)
  void everyDeviceIsListedWithWhatTheDriverSays(Library library) throws Exception {
    try (ScriptedInventory host =
        ScriptedInventory.of(library, folder, with(EIGHT, "device 3 minor 5", "driver 570.86"))) {
      Inventory inventory = host.sweep();
      assertThat(inventory.state()).isEqualTo(NvmlState.OK);
      assertThat(inventory.detail()).isEmpty();
      assertThat(inventory.driverVersion()).isEqualTo("stub 570.86");
      assertThat(inventory.devices()).hasSize(8).allMatch(GpuDevice::startable);
      assertThat(host.device("GPU-d"))
          .isEqualTo(
              new GpuDevice(
                  "GPU-d",
                  3,
                  "H100",
                  "NVIDIA H100 80GB HBM3 (stand-in)",
                  81559L << 20,
                  true,
                  "",
                  false,
                  "00000000:04:00.0",
                  5));
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void lostGpuCostsOnlyItselfAndMayComeBack(Library library) throws Exception {
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, EIGHT)) {
      host.sweep();
      Inventory inventory = host.sweep(with(EIGHT, "fault device 3 rc 15"));
      assertThat(inventory.state()).isEqualTo(NvmlState.OK);
      assertThat(inventory.devices()).hasSize(8);
      assertThat(unhealthy(inventory)).containsExactly("GPU-d");
      assertThat(host.device("GPU-d").healthDetail()).startsWith("LOST: ");
      assertThat(inventory.startable("GPU-d")).isFalse();
      assertThat(inventory.startable("GPU-e")).isTrue();
      assertThat(unhealthy(host.sweep(EIGHT))).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void gpuThatWasNeverReadIsLeftOutAndNamedByItsIndex(Library library) throws Exception {
    try (ScriptedInventory host =
        ScriptedInventory.of(library, folder, with(EIGHT, "fault device 3 rc 15"))) {
      Inventory inventory = host.sweep();
      assertThat(inventory.state()).isEqualTo(NvmlState.OK);
      assertThat(inventory.devices()).hasSize(7).allMatch(GpuDevice::healthy);
      assertThat(inventory.detail()).contains("index 3").contains("fallen off the bus");
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void gpuThatVanishesWithoutAnErrorIsLost(Library library) throws Exception {
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, EIGHT)) {
      host.sweep();
      Inventory inventory = host.sweep(with(EIGHT, "device 2 hidden"));
      assertThat(inventory.devices()).hasSize(8);
      assertThat(unhealthy(inventory)).containsExactly("GPU-c");
      assertThat(host.device("GPU-c").healthDetail())
          .startsWith("LOST: the driver lists it no longer");
      assertThat(unhealthy(host.sweep(EIGHT))).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void gpuThatIsLostAtALaterCallIsLost(Library library) throws Exception {
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, EIGHT)) {
      host.sweep();
      host.sweep(with(EIGHT, "fault function nvmlDeviceGetMemoryInfo_v2 device 1 rc 15"));
      assertThat(host.device("GPU-b").healthDetail()).startsWith("LOST: ");
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void failingGpuKeepsWhatWasKnownOfIt(Library library) throws Exception {
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, EIGHT)) {
      host.sweep();
      GpuDevice before = host.device("GPU-a");
      host.sweep(
          with(
              EIGHT,
              "fault function nvmlDeviceGetPciInfo_v3 device 0 rc 15",
              "fault function nvmlDeviceGetName device 0 rc 15",
              "fault function nvmlDeviceGetMinorNumber device 0 rc 15",
              "fault function nvmlDeviceGetMemoryInfo_v2 device 0 rc 15"));
      GpuDevice after = host.device("GPU-a");
      assertThat(after.healthy()).isFalse();
      assertThat(after)
          .usingRecursiveComparison()
          .ignoringFields("healthy", "healthDetail")
          .isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void identityIsTheUuidWhateverTheOrder(Library library) throws Exception {
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, EIGHT)) {
      host.sweep();
      Inventory inventory = host.sweep(with(EIGHT, "order 7 6 5 4 3 2 1 0", "device 0 recovery 1"));
      assertThat(inventory.devices()).hasSize(8);
      assertThat(unhealthy(inventory)).containsExactly("GPU-a");
      assertThat(host.device("GPU-a").index()).isEqualTo(7);
      assertThat(host.device("GPU-a").minorNumber()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void errorThatNobodyCanExplainCountsAtTheThirdTime(Library library) throws Exception {
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, EIGHT)) {
      host.sweep();
      String[] broken = with(EIGHT, "fault device 0 rc 999");
      assertThat(unhealthy(host.sweep(broken))).isEmpty();
      assertThat(unhealthy(host.sweep())).isEmpty();
      assertThat(unhealthy(host.sweep())).containsExactly("GPU-a");
      assertThat(host.device("GPU-a").healthDetail()).startsWith("UNKNOWN: ");
      host.sweep(EIGHT);
      assertThat(unhealthy(host.sweep(broken))).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void whatAGpuAsksForMakesItUnhealthy(Library library) throws Exception {
    try (ScriptedInventory host =
        ScriptedInventory.of(
            library,
            folder,
            with(
                EIGHT,
                "device 0 recovery 2",
                "device 1 remapped pending",
                "device 2 remapped failed",
                "device 3 mig_pending on"))) {
      host.sweep();
      assertThat(host.device("GPU-a").healthDetail())
          .isEqualTo("NEEDS_RESET: the GPU asks for a reboot of the host");
      assertThat(host.device("GPU-b").healthDetail()).startsWith("NEEDS_RESET: a row of memory");
      assertThat(host.device("GPU-c").healthDetail()).startsWith("DEGRADED: a row of memory");
      assertThat(host.device("GPU-d").healthDetail()).startsWith("MIG_MODE_CHANGES: ");
      assertThat(host.device("GPU-e").healthy()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void instancesOfADividedGpuAreDevicesAndHolesAreNone(Library library) throws Exception {
    try (ScriptedInventory host =
        ScriptedInventory.of(
            library,
            folder,
            "devices 2",
            "device 0 uuid GPU-a",
            "device 1 uuid GPU-b",
            "device 0 mig 0:1g.10gb 2:1g.10gb 4:3g.40gb")) {
      Inventory inventory = host.sweep();
      assertThat(inventory.detail()).isEmpty();
      assertThat(inventory.device("GPU-a")).isEmpty();
      assertThat(inventory.device("GPU-b")).isPresent();
      assertThat(inventory.devices())
          .filteredOn(device -> device.uuid().startsWith("MIG-"))
          .allMatch(GpuDevice::healthy)
          .allMatch(device -> device.pciBusId().equals("00000000:01:00.0"))
          .extracting(GpuDevice::unit)
          .containsExactlyInAnyOrder("H100-1g.10gb", "H100-1g.10gb", "H100-3g.40gb");
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void devicesFollowTheDivisionOfTheirGpu(Library library) throws Exception {
    String[] whole = {"devices 1", "device 0 uuid GPU-a"};
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, whole)) {
      assertThat(units(host.sweep())).containsExactly("H100");
      assertThat(units(host.sweep(with(whole, "device 0 mig 0:1g.10gb 1:2g.20gb"))))
          .containsExactlyInAnyOrder("H100-1g.10gb", "H100-2g.20gb");
      assertThat(units(host.sweep(with(whole, "device 0 mig 1:2g.20gb"))))
          .containsExactly("H100-2g.20gb");
      Inventory none = host.sweep(with(whole, "device 0 mig none"));
      assertThat(none.state()).isEqualTo(NvmlState.NO_DEVICES);
      assertThat(none.detail()).contains("GPU-a is in MIG mode and has no MIG instance");
      assertThat(units(host.sweep(whole))).containsExactly("H100");
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void instancesThatCannotBeReadAreKeptAndNotGivenOut(Library library) throws Exception {
    String[] divided = {"devices 1", "device 0 uuid GPU-a", "device 0 mig 0:1g.10gb 1:2g.20gb"};
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, divided)) {
      host.sweep();
      Inventory noPlaces =
          host.sweep(with(divided, "fault function nvmlDeviceGetMaxMigDeviceCount rc 999"));
      assertThat(noPlaces.devices()).hasSize(2).noneMatch(GpuDevice::healthy);
      assertThat(noPlaces.detail()).contains("cannot all be read").contains("UNKNOWN (999)");
      // Whether it is divided is not known: it must not be taken for a whole GPU.
      for (int strike = 1; strike <= KnownDevices.STRIKES_MAX; strike++) {
        Inventory unclear = host.sweep(with(divided, "fault function nvmlDeviceGetMigMode rc 999"));
        assertThat(unclear.devices()).hasSize(2).noneMatch(device -> device.unit().equals("H100"));
      }
      assertThat(host.source.current().devices()).noneMatch(GpuDevice::healthy);
      assertThat(host.sweep(divided).devices()).hasSize(2).allMatch(GpuDevice::healthy);
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void instancesOfALostGpuAreLostWithIt(Library library) throws Exception {
    String[] divided = {"devices 1", "device 0 uuid GPU-a", "device 0 mig 0:1g.10gb 1:2g.20gb"};
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, divided)) {
      host.sweep();
      Inventory lost = host.sweep(with(divided, "fault rc 15 device 0"));
      assertThat(lost.devices())
          .hasSize(2)
          .allMatch(device -> device.healthDetail().startsWith("LOST: "));
    }
  }

  private static List<String> unhealthy(Inventory inventory) {
    return inventory.devices().stream()
        .filter(device -> !device.healthy())
        .map(GpuDevice::uuid)
        .toList();
  }

  private static List<String> units(Inventory inventory) {
    return inventory.devices().stream().map(GpuDevice::unit).toList();
  }

  private static String[] with(String[] lines, String... more) {
    return Stream.concat(Arrays.stream(lines), Arrays.stream(more)).toArray(String[]::new);
  }
}
