package io.quotashare.agent.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The contract on the shim, and what only the shim has. */
class ShimSupervisorTest extends JobSupervisorContract {
  private static final Path SHIM = Path.of("target/native/qs-shim").toAbsolutePath();

  @Override
  JobSupervisor newSupervisor(Path lockDir, long logBytes, int logFiles) {
    return shim(lockDir, logBytes, logFiles, Optional.empty(), HostBoot.id());
  }

  private JobSupervisor shim(
      Path lockDir, long logBytes, int logFiles, Optional<Path> cgroup, String bootId) {
    return new ShimSupervisor(
        new ShimSettings(program(), lockDir, logBytes, logFiles, cgroup), clock, bootId);
  }

  static Path program() {
    if (!Files.isExecutable(SHIM)) {
      System.err.println("***** SKIPPED: qs-shim was not built: there is no C compiler *****");
      abort("qs-shim was not built: there is no C compiler");
    }
    return SHIM;
  }

  @Test
  void shouldLoseTheExitAndNothingElseWhenTheShimIsKilled() throws Exception {
    Path runDir =
        launchShell(
            "(setsid sh -c 'echo $$ > child; exec sleep 300' &); while :; do sleep 0.1; done");
    awaitFile(runDir.resolve("child"));
    await().atMost(PATIENCE).until(() -> Files.size(runDir.resolve("child")) > 0);
    StartedRecord started = awaitSeen(runDir, Observation.Running.class).started();

    ProcessHandle.of(started.supervisor().pid()).orElseThrow().destroyForcibly();
    restarted();

    Observation.Ended ended = awaitSeen(runDir, Observation.Ended.class);
    assertThat(ended.exit()).isEmpty();
    assertThat(ended.rebooted()).isFalse();
    assertThat(started.main().alive()).isFalse();
    assertThat(alive(pidIn(runDir.resolve("child")))).isFalse();
  }

  @Test
  void shouldTakeEveryAttemptOfAnEarlierBootForDead() throws Exception {
    Path runDir = launch("sleep", "300");
    awaitSeen(runDir, Observation.Running.class);
    JobSupervisor afterReboot =
        shim(folder.resolve("locks"), 4_096, 3, Optional.empty(), "another-boot");

    Observation seen = afterReboot.observe(runDir);

    assertThat(seen)
        .isInstanceOfSatisfying(
            Observation.Ended.class,
            ended -> {
              assertThat(ended.rebooted()).isTrue();
              assertThat(ended.exit()).isEmpty();
            });
  }

  @Test
  void shouldNotTakeAnotherProcessWithTheSameIdForTheSupervisor() throws Exception {
    Path runDir = launch("sleep", "300");
    StartedRecord started = awaitSeen(runDir, Observation.Running.class).started();
    ProcessIdentity real = started.supervisor();
    assertThat(real.alive()).isTrue();
    assertThat(new ProcessIdentity(real.pid(), real.startTicks() + 1).alive()).isFalse();
  }

  @Test
  void shouldGiveUpAStartThatWasInterruptedBeforeAnythingRan() throws Exception {
    Path runDir = runDir();
    Files.writeString(runDir.resolve("lease"), "never\n");
    assertThat(supervisor().observe(runDir)).isInstanceOf(Observation.Launching.class);
    LaunchFailure failure = awaitSeen(runDir, Observation.Failed.class).failure();
    assertThat(failure.stage()).isEqualTo(LaunchFailure.Stage.INTERRUPTED);
  }

  @Test
  void shouldSayWhatTheShimSaidWhenItEndsWithoutARecord() throws Exception {
    Path runDir = runDir();
    JobSupervisor broken =
        new ShimSupervisor(
            new ShimSettings(
                Files.createSymbolicLink(folder.resolve("not-the-shim"), Path.of("/bin/ls")),
                folder.resolve("locks"),
                4_096,
                3,
                Optional.empty()),
            clock,
            HostBoot.id());
    broken.launch(spec(runDir, OptionalLong.empty(), List.of(), List.of("true")));
    await().atMost(PATIENCE).until(() -> broken.observe(runDir) instanceof Observation.Failed);
    LaunchFailure failure = ((Observation.Failed) broken.observe(runDir)).failure();
    assertThat(failure.stage()).isEqualTo(LaunchFailure.Stage.SUPERVISOR);
    assertThat(failure.detail()).contains("not-the-shim ended with status 2").contains("run");
  }

  @Test
  void shouldSayThatTheShimIsMissing() throws Exception {
    Path runDir = runDir();
    JobSupervisor missing =
        new ShimSupervisor(
            new ShimSettings(
                folder.resolve("missing"), folder.resolve("locks"), 4_096, 3, Optional.empty()),
            clock,
            HostBoot.id());
    missing.launch(spec(runDir, OptionalLong.empty(), List.of(), List.of("true")));
    assertThat(missing.observe(runDir))
        .isInstanceOfSatisfying(
            Observation.Failed.class,
            failed ->
                assertThat(failed.failure().detail()).contains("missing").contains("No such file"));
  }

  @Test
  void shouldEndTheJobOnSigtermToTheShimItself() throws Exception {
    Path runDir = launch("sleep", "300");
    StartedRecord started = awaitSeen(runDir, Observation.Running.class).started();
    ProcessHandle.of(started.supervisor().pid()).orElseThrow().destroy();
    ExitRecord exit = awaitSeen(runDir, Observation.Ended.class).exit().orElseThrow();
    assertThat(exit.cause()).isEqualTo(ExitRecord.Cause.SIGNAL);
    assertThat(exit.signal()).hasValue(15);
  }

  @Test
  void shouldRefuseToStartWithoutALease() throws Exception {
    Path runDir = runDir();
    Process shim =
        new ProcessBuilder(
                program().toString(),
                "run",
                "--run-dir",
                runDir.toString(),
                "--lock-dir",
                folder.resolve("locks").toString(),
                "--term-grace-ms",
                "0",
                "--log-bytes",
                "1",
                "--log-files",
                "2",
                "--cwd",
                "/",
                "--",
                "true")
            .redirectErrorStream(true)
            .redirectOutput(runDir.resolve("shim.log").toFile())
            .start();
    assertThat(shim.waitFor()).isEqualTo(71);
    assertThat(awaitSeen(runDir, Observation.Failed.class).failure().stage())
        .isEqualTo(LaunchFailure.Stage.LEASE);
  }

  @Test
  void shouldKillThroughACgroupWhereThereIsOne() throws Exception {
    Path root = cgroup();
    try {
      Path runDir = runDir();
      JobSupervisor withCgroup =
          shim(folder.resolve("locks"), 4_096, 3, Optional.of(root), HostBoot.id());
      // Without its environment the cookie does not find it: only the group does.
      withCgroup.launch(
          spec(
              runDir,
              OptionalLong.empty(),
              List.of(),
              List.of("sh", "-c", "env -i setsid sh -c 'echo $$ > child; exec sleep 300' & wait")));
      awaitFile(runDir.resolve("child"));
      await().atMost(PATIENCE).until(() -> Files.size(runDir.resolve("child")) > 0);
      Path group = root.resolve(runDir.getFileName());
      assertThat(Files.readAllLines(group.resolve("cgroup.procs")))
          .contains(Integer.toString(pidIn(runDir.resolve("child"))));

      long now = clock.bootMillis();
      withCgroup.scheduleStop(runDir, new StopTimes(now, now));

      awaitSeen(runDir, Observation.Ended.class);
      assertThat(alive(pidIn(runDir.resolve("child")))).isFalse();
      await().atMost(PATIENCE).until(() -> Files.notExists(group));
    } finally {
      Files.deleteIfExists(root);
    }
  }

  private Path cgroup() throws IOException {
    for (String mount : List.of("/sys/fs/cgroup", "/sys/fs/cgroup/unified")) {
      if (Files.exists(Path.of(mount, "cgroup.controllers")) && Files.isWritable(Path.of(mount))) {
        Path group = Path.of(mount, "quotashare-test-" + ProcessHandle.current().pid());
        try {
          return Files.createDirectory(group);
        } catch (IOException readOnly) {
          // Tries the next one.
        }
      }
    }
    System.err.println("***** SKIPPED: there is no writable cgroup v2 *****");
    return abort("there is no writable cgroup v2");
  }
}
