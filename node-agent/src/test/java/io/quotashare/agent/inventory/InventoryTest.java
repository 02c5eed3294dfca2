package io.quotashare.agent.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The values that the inventory is made of. */
class InventoryTest {
  private static final GpuDevice DEVICE = FakeInventorySource.healthy("GPU-a", 0, "H100");

  @TempDir Path folder;

  @Test
  void devicesAreInOrderOfTheirUuidsAndEachIsThereOnce() {
    GpuDevice other = FakeInventorySource.healthy("GPU-b", 1, "H100");
    Inventory inventory = new Inventory(NvmlState.OK, "", "570", List.of(other, DEVICE));
    assertThat(inventory.devices()).containsExactly(DEVICE, other);
    assertThat(inventory.hash())
        .isEqualTo(new Inventory(NvmlState.OK, "", "570", List.of(DEVICE, other)).hash());
    assertThatThrownBy(() -> new Inventory(NvmlState.OK, "", "570", List.of(DEVICE, DEVICE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("devices: UUID GPU-a twice (expected: once)");
  }

  @Test
  void hashIsTheSameInEveryRun() {
    assertThat(new Inventory(NvmlState.OK, "", "570", List.of(DEVICE)).hash())
        .isEqualTo("ab93b6520d2a3b961536da88a44395d7");
  }

  @Test
  void hashChangesWithEveryField() {
    List<Inventory> different =
        List.of(
            inventory(NvmlState.OK, "", "570", DEVICE),
            inventory(NvmlState.NVML_STUCK, "", "570", DEVICE),
            inventory(NvmlState.OK, "x", "570", DEVICE),
            inventory(NvmlState.OK, "", "575", DEVICE),
            inventory(NvmlState.OK, "", "", device("GPU-b", 0, "H100", "m", 1, "", false, "p", 0)),
            inventory(NvmlState.OK, "", "", device("GPU-a", 1, "H100", "m", 1, "", false, "p", 0)),
            inventory(NvmlState.OK, "", "", device("GPU-a", 0, "H200", "m", 1, "", false, "p", 0)),
            inventory(NvmlState.OK, "", "", device("GPU-a", 0, "H100", "n", 1, "", false, "p", 0)),
            inventory(NvmlState.OK, "", "", device("GPU-a", 0, "H100", "m", 2, "", false, "p", 0)),
            inventory(NvmlState.OK, "", "", device("GPU-a", 0, "H100", "m", 1, "L", false, "p", 0)),
            inventory(NvmlState.OK, "", "", device("GPU-a", 0, "H100", "m", 1, "", true, "p", 0)),
            inventory(NvmlState.OK, "", "", device("GPU-a", 0, "H100", "m", 1, "", false, "q", 0)),
            inventory(NvmlState.OK, "", "", device("GPU-a", 0, "H100", "m", 1, "", false, "p", 1)));
    Set<String> hashes = new HashSet<>();
    different.forEach(inventory -> hashes.add(inventory.hash()));
    assertThat(hashes).hasSameSizeAs(different);
  }

  @Test
  void deviceMayTakeAnAttemptOnlyIfNothingSpeaksAgainstIt() {
    Inventory good = inventory(NvmlState.OK, "", "", DEVICE);
    assertThat(good.startable("GPU-a")).isTrue();
    assertThat(good.startable("GPU-b")).isFalse();
    assertThat(inventory(NvmlState.NVML_STUCK, "", "", DEVICE).startable("GPU-a")).isFalse();
  }

  @Test
  void deviceStatesItsFaultExactlyIfItHasOne() {
    assertThatThrownBy(() -> new GpuDevice("GPU-a", 0, "H100", "", 0, false, "", false, "", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("healthDetail: ''");
    assertThatThrownBy(() -> new GpuDevice("GPU-a", 0, "H100", "", 0, true, "L", false, "", 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new GpuDevice(" ", 0, "H100", "", 0, true, "", false, "", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("uuid is blank");
    assertThatThrownBy(() -> new GpuDevice("GPU-a", -2, "H100", "", 0, true, "", false, "", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("index: -2 (expected: >= -1)");
  }

  @Test
  void settingsOutOfRangeAreNamed() {
    InventorySettings defaults = InventorySettings.DEFAULTS;
    assertThat(defaults.sweepInterval()).isEqualTo(Duration.ofSeconds(5));
    assertThatThrownBy(
            () ->
                new InventorySettings(
                    Optional.empty(),
                    Duration.ofMillis(99),
                    defaults.callDeadline(),
                    defaults.initDeadline(),
                    defaults.retryMax(),
                    Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sweepInterval: PT0.099S (expected: PT0.1S to PT10M)");
    assertThatThrownBy(
            () ->
                new InventorySettings(
                    Optional.empty(),
                    Duration.ofSeconds(5),
                    defaults.callDeadline(),
                    defaults.initDeadline(),
                    Duration.ofSeconds(4),
                    Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("retryMax: PT4S (expected: PT5S to PT10M)");
  }

  @Test
  void evidenceTellsGpusFromOtherDevicesOfTheirVendor() throws Exception {
    device("0000:3b:00.0", "0x10de", "0x030200");
    device("0000:5e:00.0", "0x10de", "0x030000");
    device("0000:5e:00.1", "0x10de", "0x040300");
    device("0000:00:02.0", "0x8086", "0x030000");
    Path driver = Files.createDirectories(folder.resolve("proc/driver/nvidia"));
    Files.writeString(
        driver.resolve("version"),
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19\nGCC version: 12\n");
    HostEvidence host = new HostEvidence(folder);
    assertThat(host.pciGpus()).isEqualTo(2);
    assertThat(host.kernelDriver()).contains("535.104.05");
    assertThat(host.text())
        .isEqualTo(
            "this host has 2 NVIDIA GPU(s) on its PCI bus, kernel driver 535.104.05, and no"
                + " /dev/nvidiactl");
  }

  private void device(String address, String vendor, String kind) throws Exception {
    Path device = Files.createDirectories(folder.resolve("sys/bus/pci/devices").resolve(address));
    Files.writeString(device.resolve("vendor"), vendor + "\n");
    Files.writeString(device.resolve("class"), kind + "\n");
  }

  private static Inventory inventory(
      NvmlState state, String detail, String driver, GpuDevice device) {
    return new Inventory(state, detail, driver, List.of(device));
  }

  private static GpuDevice device(
      String uuid,
      int index,
      String unit,
      String model,
      long bytes,
      String fault,
      boolean outside,
      String busId,
      int minor) {
    return new GpuDevice(
        uuid, index, unit, model, bytes, fault.isEmpty(), fault, outside, busId, minor);
  }
}
