package io.quotashare.agent.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.agent.inventory.ScriptedInventory.Library;
import io.quotashare.agent.nvml.RecoveryAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What occupies a device: for the release gate, for processes from outside, for the idle baseline.
 */
class OccupancyTest {
  private static final String[] ONE = {"devices 1", "device 0 uuid GPU-a"};
  private static final long MIB = 1L << 20;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Library.class)
  void everyKindOfProcessOccupiesADevice(Library library) throws Exception {
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, ONE)) {
      host.sweep();
      assertThat(host.source.occupancy("GPU-a"))
          .isEqualTo(new Occupancy.Known(Set.of(), OptionalLong.of(16 * MIB), RecoveryAction.NONE));
      host.script.config(
          with(
              ONE,
              "device 0 process 111 100",
              "device 0 graphics_process 222 10",
              "device 0 mps_process 333 1",
              "device 0 recovery 4"));
      assertThat(host.source.occupancy("GPU-a"))
          .isEqualTo(
              new Occupancy.Known(
                  Set.of(111, 222, 333),
                  OptionalLong.of(127 * MIB),
                  RecoveryAction.DRAIN_AND_RESET));
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void instanceHasItsOwnProcessesAndTheRecoveryActionOfItsGpu(Library library) throws Exception {
    try (ScriptedInventory host =
        ScriptedInventory.of(
            library,
            folder,
            with(
                ONE,
                "device 0 mig 0:1g.10gb 3:1g.10gb",
                "device 0 mig_process 3 111 100",
                "device 0 recovery 1"))) {
      host.sweep();
      assertThat(host.source.current().devices()).hasSize(2);
      assertThat(
              host.source.current().devices().stream()
                  .map(device -> host.source.occupancy(device.uuid())))
          .containsExactlyInAnyOrder(
              new Occupancy.Known(Set.of(), OptionalLong.of(8 * MIB), RecoveryAction.RESET),
              new Occupancy.Known(Set.of(111), OptionalLong.of(108 * MIB), RecoveryAction.RESET));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "nvmlDeviceGetComputeRunningProcesses_v3, 3, NOT_SUPPORTED",
    "nvmlDeviceGetComputeRunningProcesses_v3, 4, run it as root",
    "nvmlDeviceGetComputeRunningProcesses_v3, 999, UNKNOWN",
    "nvmlDeviceGetGraphicsRunningProcesses_v3, 4, run it as root",
    "nvmlDeviceGetMPSComputeRunningProcesses_v3, 15, GPU_IS_LOST",
    "nvmlDeviceGetFieldValues, 15, GPU_IS_LOST",
    "nvmlDeviceGetHandleByUUID, 15, GPU_IS_LOST"
  })
  void doubtWhetherADeviceIsEmptyIsNoEmptiness(String function, int code, String reason)
      throws Exception {
    for (Library library : Library.values()) {
      Path own = folder.resolve(library.name());
      Files.createDirectories(own);
      try (ScriptedInventory host = ScriptedInventory.of(library, own, ONE)) {
        host.sweep();
        host.script.config(with(ONE, "fault function " + function + " rc " + code));
        assertThat(host.source.occupancy("GPU-a"))
            .isInstanceOfSatisfying(
                Occupancy.Unknown.class, u -> assertThat(u.reason()).contains(reason));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void whatADriverDoesNotHaveIsNoDoubt(Library library) throws Exception {
    try (ScriptedInventory host =
        ScriptedInventory.of(
            library,
            folder,
            with(
                ONE,
                "fault function nvmlDeviceGetMPSComputeRunningProcesses_v3 rc 3",
                "fault function nvmlDeviceGetGraphicsRunningProcesses_v3 rc 3",
                "fault function nvmlDeviceGetFieldValues rc 3",
                "fault function nvmlDeviceGetMemoryInfo_v2 rc 3"))) {
      host.sweep();
      assertThat(host.source.occupancy("GPU-a"))
          .isEqualTo(
              new Occupancy.Known(Set.of(), OptionalLong.empty(), RecoveryAction.NOT_REPORTED));
      assertThat(host.device("GPU-a").healthy()).isTrue();
      assertThat(host.device("GPU-a").memoryBytes()).isZero();
    }
  }

  @Test
  void deviceThatIsNotKnownAndLibraryThatIsGoneAreUnknown() throws Exception {
    try (ScriptedInventory host = ScriptedInventory.of(Library.FAKE, folder, ONE)) {
      assertThat(host.source.occupancy("GPU-a"))
          .isEqualTo(new Occupancy.Unknown("no device GPU-a is known here"));
      host.sweep();
      host.sweep("fault function nvmlDeviceGetCount_v2 rc 9");
      assertThat(host.source.occupancy("GPU-a"))
          .isEqualTo(new Occupancy.Unknown("the device library cannot be used"));
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void processThatNobodyKnowsMakesADeviceOneThatIsUsedFromOutside(Library library)
      throws Exception {
    try (ScriptedInventory host =
        ScriptedInventory.of(library, folder, with(ONE, "device 0 process 111"))) {
      Inventory inventory = host.sweep();
      assertThat(host.device("GPU-a").outside()).isTrue();
      assertThat(host.device("GPU-a").healthy()).isTrue();
      assertThat(inventory.startable("GPU-a")).isFalse();
      assertThat(host.sweep(ONE).startable("GPU-a")).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void processOfAnAttemptIsNoneFromOutsideNotEvenWhileItEnds(Library library) throws Exception {
    String[] used = with(ONE, "device 0 process 111");
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, used)) {
      host.attemptPids.add(111);
      assertThat(host.sweep().startable("GPU-a")).isTrue();
      host.attemptPids.clear();
      assertThat(host.sweep().startable("GPU-a")).isTrue();
      assertThat(host.sweep(ONE).startable("GPU-a")).isTrue();
      assertThat(host.published).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void newProcessFromOutsideCountsAtTheSecondLook(Library library) throws Exception {
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, ONE)) {
      host.sweep();
      assertThat(host.sweep(with(ONE, "device 0 graphics_process 9")).startable("GPU-a")).isTrue();
      assertThat(host.sweep().startable("GPU-a")).isFalse();
      // While nobody can say what is on the device, what was known of it holds.
      host.sweep(with(ONE, "fault function nvmlDeviceGetComputeRunningProcesses_v3 rc 4"));
      assertThat(host.device("GPU-a").outside()).isTrue();
      assertThat(host.source.current().detail()).contains("GPU-a: ").contains("run it as root");
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void idleBaselineIsTheLeastThatWasSeenWithoutAProcess(Library library) throws Exception {
    String busy = "device 0 process 111 4000";
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, with(ONE, busy))) {
      host.sweep();
      assertThat(host.source.idleBaselineBytes("GPU-a")).isEmpty();
      host.sweep(with(ONE, "device 0 used_mib 900"));
      assertThat(host.source.idleBaselineBytes("GPU-a")).hasValue(900 * MIB);
      host.sweep(with(ONE, "device 0 used_mib 400"));
      host.sweep(with(ONE, "device 0 used_mib 700"));
      host.sweep(with(ONE, "device 0 used_mib 100", busy));
      assertThat(host.source.idleBaselineBytes("GPU-a")).hasValue(400 * MIB);
      assertThat(host.source.idleBaselineBytes("GPU-none")).isEmpty();
    }
  }

  @Test
  void stubListsTheLiveProcessesOfAnAttempt() throws Exception {
    String[] scanning = with(ONE, "scan_processes on", "process_memory_mib 500");
    try (ScriptedInventory host = ScriptedInventory.of(Library.STUB, folder, scanning)) {
      host.sweep();
      Process job = sleeper("GPU-b,GPU-a", "attempt-1");
      Process other = sleeper("GPU-aa", "attempt-2");
      Process stranger = sleeper("GPU-a", "");
      try {
        assertThat(host.source.occupancy("GPU-a"))
            .isEqualTo(
                new Occupancy.Known(
                    Set.of((int) job.pid()), OptionalLong.of(516 * MIB), RecoveryAction.NONE));
      } finally {
        for (Process process : new Process[] {job, other, stranger}) {
          process.destroyForcibly();
          assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
      }
      assertThat(host.source.occupancy("GPU-a"))
          .isEqualTo(new Occupancy.Known(Set.of(), OptionalLong.of(16 * MIB), RecoveryAction.NONE));
    }
  }

  @Test
  void reasonIsNeverBlank() {
    assertThatThrownBy(() -> new Occupancy.Unknown(" "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("reason is blank");
  }

  /**
   * A process that has been replaced by its program, so that its environment is the one it was
   * given.
   */
  private static Process sleeper(String uuids, String attempt) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("sleep", "60");
    builder.environment().put("CUDA_VISIBLE_DEVICES", uuids);
    if (!attempt.isEmpty()) {
      builder.environment().put("QS_ATTEMPT_ID", attempt);
    }
    Process process = builder.start();
    Path name = Path.of("/proc", String.valueOf(process.pid()), "comm");
    Awaitility.await().until(() -> Files.readString(name).strip().equals("sleep"));
    return process;
  }

  private static String[] with(String[] lines, String... more) {
    return Stream.concat(Arrays.stream(lines), Arrays.stream(more)).toArray(String[]::new);
  }
}
