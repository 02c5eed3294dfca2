package io.quotashare.agent.attempt;

import static io.quotashare.agent.attempt.AgentFixture.ATTEMPT;
import static io.quotashare.agent.attempt.AgentFixture.GPU0;
import static io.quotashare.agent.attempt.AgentFixture.GPU1;
import static io.quotashare.agent.attempt.AgentFixture.NAME;
import static io.quotashare.agent.attempt.AgentFixture.runDir;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_RUNNING;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_STARTING;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_START_FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.agent.inventory.GpuDevice;
import io.quotashare.agent.inventory.NvmlState;
import io.quotashare.agent.supervise.DeviceLock;
import io.quotashare.agent.supervise.LaunchFailure;
import io.quotashare.agent.supervise.LaunchSpec;
import io.quotashare.agent.supervise.Observation;
import io.quotashare.proto.agent.v1.StartAttempt;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The start protocol (node-agent 4.2). */
class AttemptsStartTest {
  private final AgentFixture agent = new AgentFixture();

  private void assertNotStarted(String detail) {
    assertThat(agent.status().getPhase()).isEqualTo(ATTEMPT_PHASE_START_FAILED);
    assertThat(agent.status().getDetail()).contains(detail);
    assertThat(agent.supervisor.launched(runDir())).isEmpty();
  }

  @Test
  void shouldPutTheIntentOnRecordBeforeTheLaunch() {
    agent.gate.hold();
    agent.start(command -> {});

    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_STARTING);
    assertThat(agent.supervisor.launched(runDir())).isEmpty();
    assertThat(agent.journal.entries())
        .anyMatch(e -> e instanceof AttemptJournal.StartIntent i && i.spec().name().equals(NAME));
    assertThat(agent.folders.exists(NAME)).isTrue();

    agent.gate.answer();
    assertThat(agent.supervisor.launched(runDir())).isPresent();
  }

  @Test
  void shouldReportThatItRunsWhenTheProgramIsInPlace() {
    agent.start(command -> {});
    agent.attempts.tick();
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_STARTING);

    agent.supervisor.running(runDir());
    agent.attempts.tick();

    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_RUNNING);
    assertThat(agent.status().hasStartedAt()).isTrue();
    assertThat(agent.attempts.running()).hasSize(1);
    assertThat(agent.attempts.isLive(NAME)).isTrue();
  }

  @Test
  void shouldStartNothingForARepeatAndReportAgain() {
    agent.startAndRun();
    agent.acknowledgeAll();
    assertThat(agent.attempts.unacknowledged()).isEmpty();

    agent.start(command -> {});

    assertThat(agent.attempts.unacknowledged())
        .singleElement()
        .satisfies(status -> assertThat(status.getPhase()).isEqualTo(ATTEMPT_PHASE_RUNNING));
  }

  @Test
  void shouldNotStartAgainWhatHasEnded() {
    agent.startAndRun();
    agent.supervisor.ended(runDir(), 0);
    agent.tickAfter(100);
    agent.attempts.tick();
    agent.acknowledgeAll();
    assertThat(agent.attempts.unfinished()).isEmpty();

    // The fake fails on a second launch.
    agent.start(command -> {});
    agent.restart();
    agent.start(command -> {});

    assertThat(agent.status().getExitCode()).isZero();
    assertThat(agent.attempts.isLive(NAME)).isFalse();
  }

  @Test
  void shouldNotGiveADeviceTwice() {
    agent.startAndRun();
    agent.start(command -> command.setAttempt("queues/q/jobs/other/attempts/1"));
    assertThat(agent.attempts.unfinished())
        .anySatisfy(
            status -> {
              assertThat(status.getAttempt()).isEqualTo("queues/q/jobs/other/attempts/1");
              assertThat(status.getPhase()).isEqualTo(ATTEMPT_PHASE_START_FAILED);
              assertThat(status.getDetail()).contains(GPU0).contains("held by " + ATTEMPT);
            });
  }

  @Test
  void shouldRefuseADeviceThatIsNotOfThisNode() {
    agent.start(command -> command.addDeviceUuids("GPU-x"));
    assertNotStarted("device GPU-x is not a device of this node");
  }

  @Test
  void shouldRefuseADeviceThatIsNotHealthy() {
    agent.inventory.setDevice(
        new GpuDevice(GPU0, 0, "H100", "", 1, false, "LOST: gone", false, "", 0));
    agent.start(command -> {});
    assertNotStarted("device GPU-n-0 is LOST: gone");
  }

  @Test
  void shouldRefuseADeviceThatIsUsedFromOutside() {
    agent.inventory.setDevice(new GpuDevice(GPU0, 0, "H100", "", 1, true, "", true, "", 0));
    agent.start(command -> {});
    assertNotStarted("used from outside the scheduler");
  }

  @Test
  void shouldPlaceNothingWhileTheDriverDoesNotFit() {
    agent.inventory.setState(NvmlState.DRIVER_MISMATCH, "reboot");
    agent.start(command -> {});
    assertNotStarted("not usable: DRIVER_MISMATCH reboot");
  }

  @Test
  void shouldRefuseADeviceThatTheDriverSaysIsUsed() {
    agent.gate.setBusy(GPU0, "still used by process [7]");
    agent.start(command -> {});
    agent.attempts.tick();
    assertNotStarted("node n1: device GPU-n-0 is still used by process [7]");
    assertRefusedDevice();
  }

  /** The scheduler is told that the device is the cause, and nothing else starts on it. */
  private void assertRefusedDevice() {
    assertThat(agent.status().getQuarantinedUuidsList()).containsExactly(GPU0);
    assertThat(agent.status().getNodeFault()).isTrue();
    assertThat(agent.attempts.quarantined()).containsOnlyKeys(GPU0);
  }

  @Test
  void shouldUseARefusedDeviceAgainOnceItIsEmpty() {
    agent.gate.setBusy(GPU0, "still used by process [7]");
    agent.start(command -> {});
    agent.gate.setEmpty(GPU0);
    agent.tickAfter(Quarantine.PROBE_INTERVAL_MILLIS);
    assertThat(agent.attempts.quarantined()).isEmpty();
    agent.start(command -> command.setAttempt("queues/q/jobs/j/attempts/2"));
    assertThat(agent.attempts.isLive(AttemptName.parse("queues/q/jobs/j/attempts/2"))).isTrue();
  }

  @Test
  void shouldNotBlameTheDevicesForAProgramThatIsNotThere() {
    agent.start(command -> {});
    agent.supervisor.set(
        runDir(), new Observation.Failed(new LaunchFailure(LaunchFailure.Stage.EXEC, 2, "")));
    agent.attempts.tick();
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_START_FAILED);
    assertThat(agent.status().getQuarantinedUuidsList()).isEmpty();
    assertThat(agent.status().getNodeFault()).isFalse();
    assertThat(agent.attempts.quarantined()).isEmpty();
  }

  @Test
  void shouldBlameADeviceThatWasLockedAtTheLastMoment() {
    agent.start(command -> {});
    agent.supervisor.set(
        runDir(), new Observation.Failed(new LaunchFailure(LaunchFailure.Stage.LOCK, 0, GPU0)));
    agent.attempts.tick();
    assertRefusedDevice();
  }

  @Test
  void shouldRefuseADeviceThatSomebodyHasLocked() {
    agent.supervisor.setLock(GPU0, new DeviceLock(false, "process 9, /elsewhere"));
    agent.start(command -> {});
    agent.attempts.tick();
    assertNotStarted("device GPU-n-0 is locked by process 9, /elsewhere");
    assertRefusedDevice();
  }

  @Test
  void shouldStartNothingThatIsNotOnRecord() {
    agent.journal.setFull(true);
    agent.start(command -> {});
    assertNotStarted("No space left on device");
    assertThat(agent.folders.exists(NAME)).isFalse();
  }

  @Test
  void shouldNotLaunchWhatWasStoppedMeanwhile() {
    agent.gate.hold();
    agent.start(command -> {});
    agent.stop(1, 10, true);
    agent.gate.answer();
    agent.attempts.tick();
    assertNotStarted("it was stopped before it was started");
  }

  @Test
  void shouldExplainAFailedLaunch() {
    agent.start(command -> {});
    agent.supervisor.set(
        runDir(), new Observation.Failed(new LaunchFailure(LaunchFailure.Stage.EXEC, 2, "")));
    agent.attempts.tick();
    assertThat(agent.status().getPhase()).isEqualTo(ATTEMPT_PHASE_START_FAILED);
    assertThat(agent.status().getDetail())
        .isEqualTo("command 'train' was not found on node n1: it is in none of /usr/bin:/bin");
  }

  @Test
  void shouldGiveUpAStartThatTakesTooLong() {
    agent.start(command -> {});
    agent.tickAfter(AgentFixture.START_TIMEOUT_MILLIS - 1);
    assertThat(agent.supervisor.isDestroyed(runDir())).isFalse();
    agent.tickAfter(1);
    assertThat(agent.supervisor.isDestroyed(runDir())).isTrue();

    agent.supervisor.set(
        runDir(),
        new Observation.Failed(new LaunchFailure(LaunchFailure.Stage.SUPERVISOR, 0, "killed")));
    agent.attempts.tick();
    assertThat(agent.status().getDetail()).isEqualTo("its program was not started within 30000 ms");
  }

  @Test
  void shouldGiveDevicesInPciOrderWithTheirIndices() {
    agent.inventory.setDevice(
        new GpuDevice(GPU0, 0, "H100", "", 1, true, "", false, "00000000:90:00.0", 0));
    agent.start(command -> command.addDeviceUuids(GPU1).setGpusPerNode(2));

    LaunchSpec launch = agent.supervisor.launched(runDir()).orElseThrow();
    assertThat(launch.deviceUuids()).containsExactly(GPU1, GPU0);
    assertThat(launch.environment())
        .containsEntry("CUDA_VISIBLE_DEVICES", "GPU-n-1,GPU-n-0")
        .containsEntry("NVIDIA_VISIBLE_DEVICES", "GPU-n-1,GPU-n-0")
        .containsEntry("QS_GPU_UUIDS", "GPU-n-1,GPU-n-0")
        .containsEntry("QS_GPU_INDICES", "1,0")
        .containsEntry("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
  }

  @Test
  void shouldGiveTheJobTheContractAndTheGang() {
    agent.start(
        command -> {
          command
              .setRank(1)
              .setNodes(2)
              .setGpusPerNode(1)
              .setMasterAddress("10.0.0.1")
              .setMasterPort(29_501)
              .setResume(true)
              .putEnv("LR", "0.1")
              .putEnv("HOME", "/elsewhere");
          command.getCheckpointEveryBuilder().setSeconds(90).setNanos(500_000_000);
        });

    LaunchSpec launch = agent.supervisor.launched(runDir()).orElseThrow();
    assertThat(launch.environment())
        .containsEntry("QS_JOB_ID", "j")
        .containsEntry("QS_ATTEMPT_ID", ATTEMPT)
        .containsEntry("QS_ATTEMPT_NO", "1")
        .containsEntry("QS_RUN_DIR", runDir().toString())
        .containsEntry("QS_CHECKPOINT_DIR", "/checkpoints/q/j")
        .containsEntry("QS_CHECKPOINT_EVERY_S", "90.500")
        .containsEntry("QS_GRACE_S", "60")
        .containsEntry("QS_RESUME", "1")
        .containsEntry("QS_NODE_RANK", "1")
        .containsEntry("QS_NNODES", "2")
        .containsEntry("QS_GPUS_PER_NODE", "1")
        .containsEntry("MASTER_ADDR", "10.0.0.1")
        .containsEntry("MASTER_PORT", "29501")
        .containsEntry("LR", "0.1")
        .containsEntry("HOME", "/elsewhere")
        .containsEntry("USER", "u")
        .containsEntry("LANG", "C.UTF-8")
        .containsEntry("PATH", "/usr/bin:/bin")
        .hasSize(23);
    assertThat(launch.workingDirectory()).isEqualTo(runDir().resolve("work"));
    assertThat(launch.termGraceMillis()).isEqualTo(30_000);
  }

  @Test
  void shouldHideTheDevicesOfTheHostFromAJobWithoutAny() {
    agent.start(command -> command.clearDeviceUuids().setGpusPerNode(0));
    assertThat(agent.supervisor.launched(runDir()).orElseThrow().environment())
        .containsEntry("CUDA_VISIBLE_DEVICES", "")
        .containsEntry("NVIDIA_VISIBLE_DEVICES", "void");
  }

  @Test
  void shouldGiveTheLeaseFromTheLastAnswerOfTheScheduler() {
    agent.attempts.renewLeases(agent.clock.bootMillis());
    long sent = agent.clock.bootMillis();
    agent.clock.advance(2_000);
    agent.start(command -> command.getLostAfterBuilder().setSeconds(300));
    assertThat(agent.supervisor.lease(runDir()).orElseThrow()).hasValue(sent + 300_000);

    agent.supervisor.running(runDir());
    agent.tickAfter(1_000);
    agent.attempts.renewLeases(sent + 2_500);
    assertThat(agent.supervisor.lease(runDir()).orElseThrow()).hasValue(sent + 302_500);

    // An answer that comes late takes nothing back.
    agent.attempts.renewLeases(sent + 1_000);
    assertThat(agent.supervisor.lease(runDir()).orElseThrow()).hasValue(sent + 302_500);
  }

  @Test
  void shouldNeverEndALeaseThatHasNoEnd() {
    agent.startAndRun();
    agent.attempts.renewLeases(agent.clock.bootMillis());
    assertThat(agent.supervisor.lease(runDir()).orElseThrow()).isEqualTo(OptionalLong.empty());
  }

  private record Bad(String expected, Consumer<StartAttempt.Builder> tweak) {}

  @Test
  void shouldNameTheFieldTheValueAndWhatWasExpected() {
    List<Bad> cases =
        List.of(
            new Bad("command: empty (expected: a program", StartAttempt.Builder::clearCommand),
            new Bad("command[0]: empty", c -> c.setCommand(0, "")),
            new Bad("command[1]: holds a NUL", c -> c.addCommand("a\0b")),
            new Bad("env: '1x' (expected: a name", c -> c.putEnv("1x", "")),
            new Bad("env: 'A\nB'", c -> c.putEnv("A\nB", "")),
            new Bad("env: LD_PRELOAD (expected", c -> c.putEnv("LD_PRELOAD", "x")),
            new Bad("env: QS_RUN_DIR (expected", c -> c.putEnv("QS_RUN_DIR", "x")),
            new Bad("env: CUDA_VISIBLE_DEVICES", c -> c.putEnv("CUDA_VISIBLE_DEVICES", "0")),
            new Bad("env A: holds a NUL", c -> c.putEnv("A", "secret\0")),
            new Bad("device_uuids: '../x'", c -> c.addDeviceUuids("../x")),
            new Bad("device_uuids: GPU-n-0 twice", c -> c.addDeviceUuids(GPU0)),
            new Bad("working_directory: 'a/b'", c -> c.setWorkingDirectory("a/b")),
            new Bad("rank: 2 (expected: 0 to 0)", c -> c.setRank(2)),
            new Bad("nodes: 0 (expected: >= 1)", c -> c.setNodes(0)),
            new Bad("master_port: 70000", c -> c.setMasterPort(70_000)),
            new Bad("grace: -1 s", c -> c.getGraceBuilder().setSeconds(-1)),
            new Bad("lost_after: 0 ms", c -> c.getLostAfterBuilder().setSeconds(0)));
    for (int i = 0; i < cases.size(); i++) {
      Bad bad = cases.get(i);
      String attempt = "queues/q/jobs/bad/attempts/" + (i + 1);
      agent.start(command -> bad.tweak().accept(command.setAttempt(attempt)));
      assertThat(agent.attempts.unacknowledged())
          .as(bad.expected())
          .anySatisfy(
              status -> {
                assertThat(status.getAttempt()).isEqualTo(attempt);
                assertThat(status.getPhase()).isEqualTo(ATTEMPT_PHASE_START_FAILED);
                assertThat(status.getDetail()).contains(bad.expected()).doesNotContain("secret");
              });
    }
  }

  @Test
  void shouldIgnoreACommandThatNamesNoAttempt() {
    agent.start(command -> command.setAttempt("queues/../jobs/j/attempts/1"));
    assertThat(agent.attempts.unfinished()).isEmpty();
  }
}
