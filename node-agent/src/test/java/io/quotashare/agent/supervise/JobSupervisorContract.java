package io.quotashare.agent.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.quotashare.agent.time.AgentClock;
import io.quotashare.agent.time.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every supervisor must do, on real processes. A new implementation extends this class and
 * passes as it stands.
 */
abstract class JobSupervisorContract {
  static final Duration PATIENCE = Duration.ofSeconds(30);
  static final String DEVICE = "GPU-" + UUID.randomUUID();
  private static final long TERM_GRACE_MILLIS = 700;

  @TempDir Path folder;
  final AgentClock clock = new SystemClock();
  final List<Path> runDirs = new ArrayList<>();
  private JobSupervisor supervisor;

  /** A supervisor on these folders, as a new agent process would have one. */
  abstract JobSupervisor newSupervisor(Path lockDir, long logBytes, int logFiles);

  @BeforeEach
  void setUp() throws IOException {
    Files.createDirectories(folder.resolve("locks"));
    supervisor = restarted();
  }

  @AfterEach
  void leaveNothingBehind() {
    for (Path runDir : runDirs) {
      if (!(supervisor.observe(runDir) instanceof Observation.Ended)
          && !(supervisor.observe(runDir) instanceof Observation.Failed)) {
        supervisor.destroy(runDir);
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    !(supervisor.observe(runDir) instanceof Observation.Running)
                        && !(supervisor.observe(runDir) instanceof Observation.Orphaned));
      }
    }
  }

  JobSupervisor supervisor() {
    return supervisor;
  }

  /** What a restarted agent has: nothing but the files. */
  JobSupervisor restarted() {
    supervisor = newSupervisor(folder.resolve("locks"), 4_096, 3);
    return supervisor;
  }

  Path runDir() throws IOException {
    Path runDir = Files.createDirectory(folder.resolve("q.j." + (runDirs.size() + 1)));
    runDirs.add(runDir);
    return runDir;
  }

  static Map<String, String> environment(Path runDir) {
    return Map.of("PATH", "/usr/bin:/bin", "QS_RUN_DIR", runDir.toString(), "QS_ATTEMPT_ID", "a");
  }

  LaunchSpec spec(Path runDir, OptionalLong lease, List<String> devices, List<String> command) {
    return new LaunchSpec(
        runDir, command, environment(runDir), runDir, devices, TERM_GRACE_MILLIS, lease);
  }

  Path launch(String... command) throws IOException {
    Path runDir = runDir();
    supervisor.launch(spec(runDir, OptionalLong.empty(), List.of(DEVICE), List.of(command)));
    return runDir;
  }

  Path launchShell(String script) throws IOException {
    return launch("sh", "-c", script);
  }

  <T extends Observation> T awaitSeen(Path runDir, Class<T> kind) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(() -> assertThat(supervisor.observe(runDir)).isInstanceOf(kind));
    return kind.cast(supervisor.observe(runDir));
  }

  void awaitFile(Path file) {
    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> Files.exists(file));
  }

  static int pidIn(Path file) throws IOException {
    return Integer.parseInt(Files.readString(file).strip());
  }

  /** Whether a process is there and is no zombie, which nobody but its parent can remove. */
  static boolean alive(int pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return !stat.substring(stat.lastIndexOf(')')).startsWith(") Z");
    } catch (IOException gone) {
      return false;
    }
  }

  String output(Path runDir) throws IOException {
    return new JobOutput(runDir).read(0, 1 << 20).data().toStringUtf8();
  }

  void stop(Path runDir, long termInMillis, long killInMillis) {
    long now = clock.bootMillis();
    supervisor.scheduleStop(runDir, new StopTimes(now + termInMillis, now + killInMillis));
  }

  @Test
  void shouldTellExitCodeAndTimes() throws Exception {
    Instant before = Instant.now().minusMillis(50);
    Path runDir = launchShell("exit 7");

    Observation.Ended ended = awaitSeen(runDir, Observation.Ended.class);

    ExitRecord exit = ended.exit().orElseThrow();
    assertThat(exit.code()).hasValue(7);
    assertThat(exit.signal()).isEmpty();
    assertThat(exit.cause()).isEqualTo(ExitRecord.Cause.OWN);
    assertThat(exit.ladder()).isEqualTo(Ladder.NONE);
    assertThat(ended.rebooted()).isFalse();
    assertThat(ended.started().startedAt()).isBetween(before, exit.exitedAt());
    assertThat(exit.exitedAt()).isBefore(Instant.now().plusMillis(50));
  }

  @Test
  void shouldTellTheSignalThatEndedTheJob() throws Exception {
    Path runDir = launchShell("kill -USR1 $$");
    ExitRecord exit = awaitSeen(runDir, Observation.Ended.class).exit().orElseThrow();
    assertThat(exit.signal()).hasValue(10);
    assertThat(exit.code()).isEmpty();
  }

  @Test
  void shouldSendSigtermAtItsTimeAndNothingElse() throws Exception {
    Path runDir =
        launchShell("trap 'echo saved; exit 3' TERM; echo ready; while :; do sleep 0.05; done");
    awaitSeen(runDir, Observation.Running.class);
    await().atMost(PATIENCE).until(() -> output(runDir).contains("ready"));

    stop(runDir, 0, 20_000);

    Observation.Ended ended = awaitSeen(runDir, Observation.Ended.class);
    ExitRecord exit = ended.exit().orElseThrow();
    assertThat(exit.code()).hasValue(3);
    assertThat(exit.cause()).isEqualTo(ExitRecord.Cause.STOP);
    assertThat(ended.ladder().termSentAt()).isPresent();
    assertThat(ended.ladder().killSentAt()).isEmpty();
    assertThat(output(runDir)).contains("saved");
  }

  @Test
  void shouldKillWhoIgnoresSigtermAtTheDeadlineAndNotBefore() throws Exception {
    Path runDir = launchShell("trap '' TERM; echo ready; while :; do sleep 0.05; done");
    await().atMost(PATIENCE).until(() -> output(runDir).contains("ready"));
    long killAt = clock.bootMillis() + 800;

    stop(runDir, 0, 800);

    Observation.Ended ended = awaitSeen(runDir, Observation.Ended.class);
    assertThat(clock.bootMillis()).isGreaterThanOrEqualTo(killAt);
    assertThat(ended.exit().orElseThrow().signal()).hasValue(9);
    assertThat(ended.ladder().killSentAt().orElseThrow())
        .isAfter(ended.ladder().termSentAt().orElseThrow());
  }

  @Test
  void shouldObeyTheNewestStopTimes() throws Exception {
    Path runDir = launchShell("exec sleep 300");
    awaitSeen(runDir, Observation.Running.class);
    stop(runDir, 60_000, 120_000);
    stop(runDir, 0, 60_000);
    assertThat(awaitSeen(runDir, Observation.Ended.class).exit().orElseThrow().signal())
        .hasValue(15);
  }

  @Test
  void shouldKillEscapedChildrenWhenTheMainProcessEnds() throws Exception {
    Path runDir =
        launchShell(
            "setsid sh -c 'echo $$ > escaped; trap \"\" TERM; while :; do sleep 0.1; done' &"
                + " (setsid sh -c 'echo $$ > daemon; exec sleep 300' &) ;"
                + " while [ ! -s escaped ] || [ ! -s daemon ]; do sleep 0.02; done; exit 0");

    Observation.Ended ended = awaitSeen(runDir, Observation.Ended.class);

    assertThat(ended.exit().orElseThrow().code()).hasValue(0);
    assertThat(alive(pidIn(runDir.resolve("escaped")))).isFalse();
    assertThat(alive(pidIn(runDir.resolve("daemon")))).isFalse();
  }

  @Test
  void shouldKillTheWholeTreeAtTheDeadline() throws Exception {
    Path runDir =
        launchShell(
            "trap '' TERM; setsid sh -c 'echo $$ > escaped; trap \"\" TERM;"
                + " while :; do sleep 0.1; done' & wait; while :; do sleep 0.1; done");
    awaitFile(runDir.resolve("escaped"));
    await().atMost(PATIENCE).until(() -> Files.size(runDir.resolve("escaped")) > 0);

    stop(runDir, 0, 300);

    awaitSeen(runDir, Observation.Ended.class);
    assertThat(alive(pidIn(runDir.resolve("escaped")))).isFalse();
  }

  @Test
  void shouldOutrunAProcessThatForksAsFastAsItCan() throws Exception {
    Path runDir =
        launchShell(
            "trap '' TERM; i=0; while [ $i -lt 60 ]; do sh -c 'trap \"\" TERM; while :; do (sleep"
                + " 0.01) & wait; done' & i=$((i+1)); done; echo > bombed; wait");
    awaitFile(runDir.resolve("bombed"));

    stop(runDir, 0, 100);

    awaitSeen(runDir, Observation.Ended.class);
    String cookie = "QS_RUN_DIR=" + runDir;
    assertThat(ProcessHandle.allProcesses().filter(p -> environ(p.pid()).contains(cookie)))
        .isEmpty();
  }

  private static String environ(long pid) {
    try {
      return Files.readString(
          Path.of("/proc/" + pid + "/environ"), java.nio.charset.StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }

  @Test
  void shouldGoOnWithoutTheAgentThatStartedIt() throws Exception {
    Path runDir = launchShell("echo one; while [ ! -e go ]; do sleep 0.05; done; echo two; exit 5");
    awaitSeen(runDir, Observation.Running.class);

    restarted();

    assertThat(awaitSeen(runDir, Observation.Running.class).started().supervisor().alive())
        .isTrue();
    Files.createFile(runDir.resolve("go"));
    assertThat(awaitSeen(runDir, Observation.Ended.class).exit().orElseThrow().code()).hasValue(5);
    assertThat(output(runDir)).isEqualTo("one\ntwo\n");
  }

  @Test
  void shouldTellAnEndThatHappenedWhileNobodyLooked() throws Exception {
    Path runDir = launchShell("exit 4");
    awaitFile(runDir.resolve("empty"));
    restarted();
    assertThat(awaitSeen(runDir, Observation.Ended.class).exit().orElseThrow().code()).hasValue(4);
  }

  @Test
  void shouldStopByItselfWhenTheLeaseIsOver() throws Exception {
    Path runDir = runDir();
    long lease = clock.bootMillis() + 1_500;
    supervisor()
        .launch(
            spec(
                runDir,
                OptionalLong.of(lease),
                List.of(DEVICE),
                List.of("sh", "-c", "trap '' TERM; while :; do sleep 0.05; done")));
    awaitSeen(runDir, Observation.Running.class);

    Observation.Ended ended = awaitSeen(runDir, Observation.Ended.class);

    assertThat(clock.bootMillis()).isGreaterThanOrEqualTo(lease + TERM_GRACE_MILLIS);
    assertThat(ended.exit().orElseThrow().cause()).isEqualTo(ExitRecord.Cause.LEASE);
    assertThat(ended.exit().orElseThrow().signal()).hasValue(9);
  }

  @Test
  void shouldGoOnWhileTheLeaseIsRenewed() throws Exception {
    Path runDir = runDir();
    long first = clock.bootMillis() + 1_000;
    supervisor().launch(spec(runDir, OptionalLong.of(first), List.of(), List.of("sleep", "300")));
    awaitSeen(runDir, Observation.Running.class);
    supervisor().setLease(runDir, OptionalLong.of(clock.bootMillis() + 60_000));

    await().atMost(PATIENCE).until(() -> clock.bootMillis() > first + 1_500);
    assertThat(supervisor().observe(runDir)).isInstanceOf(Observation.Running.class);

    supervisor().setLease(runDir, OptionalLong.empty());
    stop(runDir, 0, 10_000);
    assertThat(awaitSeen(runDir, Observation.Ended.class).exit().orElseThrow().cause())
        .isEqualTo(ExitRecord.Cause.STOP);
  }

  @Test
  void shouldGiveADeviceToOneOfTwoThatAreRaced() throws Exception {
    int winners = 0;
    for (int round = 0; round < 10; round++) {
      String device = DEVICE + "-" + round;
      Path one = runDir();
      Path two = runDir();
      for (Path runDir : List.of(one, two)) {
        supervisor()
            .launch(spec(runDir, OptionalLong.empty(), List.of(device), List.of("sleep", "300")));
      }
      await().atMost(PATIENCE).until(() -> settled(one) && settled(two));
      List<Observation> seen = List.of(supervisor().observe(one), supervisor().observe(two));
      assertThat(seen.stream().filter(o -> o instanceof Observation.Running)).hasSize(1);
      assertThat(seen.stream().filter(o -> o instanceof Observation.Failed))
          .singleElement()
          .satisfies(
              o -> {
                LaunchFailure failure = ((Observation.Failed) o).failure();
                assertThat(failure.stage()).isEqualTo(LaunchFailure.Stage.LOCK);
                assertThat(failure.detail()).isEqualTo(device);
              });
      assertThat(supervisor().lock(device).free()).isFalse();
      winners++;
      for (Path runDir : List.of(one, two)) {
        if (supervisor().observe(runDir) instanceof Observation.Running) {
          stop(runDir, 0, 0);
          awaitSeen(runDir, Observation.Ended.class);
        }
      }
      await().atMost(PATIENCE).until(() -> supervisor().lock(device).free());
    }
    assertThat(winners).isEqualTo(10);
  }

  private boolean settled(Path runDir) {
    return !(supervisor().observe(runDir) instanceof Observation.Launching);
  }

  @Test
  void shouldSayWhoHoldsADevice() throws Exception {
    assertThat(supervisor().lock(DEVICE)).isEqualTo(DeviceLock.FREE);
    Path runDir = launch("sleep", "300");
    awaitSeen(runDir, Observation.Running.class);
    DeviceLock lock = supervisor().lock(DEVICE);
    assertThat(lock.free()).isFalse();
    assertThat(lock.holder()).contains(runDir.toString());
  }

  @Test
  void shouldTellWhyAProgramCannotBeStarted() throws Exception {
    Path notExecutable = Files.writeString(folder.resolve("plain"), "text");
    record Case(String program, LaunchFailure.Stage stage, int errno) {}

    for (Case c :
        List.of(
            new Case("no-such-program", LaunchFailure.Stage.EXEC, 2),
            new Case("/no/such/program", LaunchFailure.Stage.EXEC, 2),
            new Case(notExecutable.toString(), LaunchFailure.Stage.EXEC, 13))) {
      Path runDir = launch(c.program());
      LaunchFailure failure = awaitSeen(runDir, Observation.Failed.class).failure();
      assertThat(failure.stage()).as(c.toString()).isEqualTo(c.stage());
      assertThat(failure.errno()).as(c.toString()).isEqualTo(c.errno());
    }
    await().atMost(PATIENCE).until(() -> supervisor().lock(DEVICE).free());
  }

  @Test
  void shouldTellThatTheWorkingDirectoryCannotBeEntered() throws Exception {
    Path runDir = runDir();
    supervisor()
        .launch(
            new LaunchSpec(
                runDir,
                List.of("true"),
                environment(runDir),
                folder.resolve("nowhere"),
                List.of(),
                0,
                OptionalLong.empty()));
    LaunchFailure failure = awaitSeen(runDir, Observation.Failed.class).failure();
    assertThat(failure.stage()).isEqualTo(LaunchFailure.Stage.CWD);
    assertThat(failure.errno()).isEqualTo(2);
  }

  @Test
  void shouldGiveTheJobExactlyItsEnvironmentAndNoFilesOfOthers() throws Exception {
    Path runDir = runDir();
    Map<String, String> environment = new TreeMap<>(environment(runDir));
    environment.put("EMPTY", "");
    environment.put("ODD", "a b\n'\"$(touch x)");
    supervisor()
        .launch(
            new LaunchSpec(
                runDir,
                List.of("sh", "-c", "env -0 > env; ls /proc/self/fd > fds; umask > mask; exit 0"),
                environment,
                runDir,
                List.of(DEVICE),
                0,
                OptionalLong.empty()));
    awaitSeen(runDir, Observation.Ended.class);

    Map<String, String> seen = new TreeMap<>();
    for (String entry : Files.readString(runDir.resolve("env")).split("\0")) {
      seen.put(entry.substring(0, entry.indexOf('=')), entry.substring(entry.indexOf('=') + 1));
    }
    // The shell sets this one itself.
    seen.remove("PWD");
    assertThat(seen).isEqualTo(environment);
    // 3 is the folder that ls reads.
    assertThat(Files.readAllLines(runDir.resolve("fds"))).containsExactly("0", "1", "2", "3");
    assertThat(Files.exists(runDir.resolve("x"))).isFalse();
  }

  @Test
  void shouldNotLetTheJobGainPrivileges() throws Exception {
    Path runDir = launchShell("grep NoNewPrivs /proc/self/status");
    awaitSeen(runDir, Observation.Ended.class);
    assertThat(output(runDir)).containsPattern("NoNewPrivs:\\s+1");
  }

  @Test
  void shouldKeepOnlyTheEndOfAFloodOfOutput() throws Exception {
    Path runDir = launchShell("seq 1 100000");
    awaitSeen(runDir, Observation.Ended.class);

    long kept = 0;
    try (var files = Files.newDirectoryStream(runDir, "out.log*")) {
      for (Path file : files) {
        kept += Files.size(file);
      }
    }
    // Three files of 4 KiB, each of which may run over by one read of a full pipe.
    assertThat(kept).isBetween(1L, 3 * (4_096L + 65_536));
    JobOutput.Piece first = new JobOutput(runDir).read(0, 1 << 20);
    assertThat(first.offset()).isPositive();
    assertThat(tail(runDir)).hasSize((int) kept).endsWith("\n99999\n100000\n");
    long written = first.offset() + kept;
    assertThat(written).isEqualTo(588_895);
  }

  private static String tail(Path runDir) throws IOException {
    StringBuilder text = new StringBuilder();
    long offset = 0;
    while (true) {
      JobOutput.Piece piece = new JobOutput(runDir).read(offset, 1_000);
      if (piece.data().isEmpty()) {
        return text.toString();
      }
      text.append(piece.data().toStringUtf8());
      offset = piece.offset() + piece.data().size();
    }
  }

  @Test
  void shouldNotBeMisledByAJobThatSpoilsItsRunFolder() throws Exception {
    for (String mischief :
        List.of(
            "echo x > started; echo x > ladder",
            "rm started; mkdir started; ln -s /etc/passwd exit",
            "echo '{\"stage\":\"exec\",\"errno\":2}' > failed",
            "echo '{}' > empty",
            "echo '{}' > empty; echo '{\"code\":0,\"cause\":\"own\"}' > exit",
            "rm -r \"$QS_RUN_DIR\"")) {
      Path done = folder.resolve("done" + runDirs.size());
      Path runDir =
          launchShell(
              "until [ -e started ]; do :; done; until [ -e go ]; do sleep 0.02; done; "
                  + mischief
                  + "; : > "
                  + done
                  + "; exec sleep 300");
      awaitSeen(runDir, Observation.Running.class);
      Files.createFile(runDir.resolve("go"));
      awaitFile(done);

      assertThat(supervisor.observe(runDir)).as(mischief).isInstanceOf(Observation.Running.class);
      supervisor.destroy(runDir);
      awaitSeen(runDir, Observation.Ended.class);
    }
  }

  @Test
  void shouldGoOnWithAJobThatSpoiledItsRunFolderWhileNobodyLooked() throws Exception {
    for (String mischief :
        List.of(
            "rm -r \"$QS_RUN_DIR\"",
            "rm started; echo '{}' > empty",
            "rm started; echo '{\"stage\":\"exec\",\"errno\":2}' > failed")) {
      Path done = folder.resolve("done" + runDirs.size());
      Path runDir =
          launchShell(
              "until [ -e started ]; do :; done; until [ -e go ]; do sleep 0.02; done; "
                  + mischief
                  + "; : > "
                  + done
                  + "; exec sleep 300");
      StartedRecord started = awaitSeen(runDir, Observation.Running.class).started();
      Files.createFile(runDir.resolve("go"));
      awaitFile(done);

      restarted();
      Files.createDirectories(runDir);
      supervisor.adopt(runDir, started);

      assertThat(supervisor.observe(runDir)).as(mischief).isInstanceOf(Observation.Running.class);
      supervisor.destroy(runDir);
      awaitSeen(runDir, Observation.Ended.class);
      assertThat(started.main().alive()).isFalse();
    }
  }

  @Test
  void shouldNotWaitForAPipeNorCountWhatIsNoOutput() throws Exception {
    Path runDir = launchShell("exit 0");
    awaitSeen(runDir, Observation.Ended.class);
    Files.createFile(runDir.resolve("out.log.99999999999999999999"));
    assertThat(output(runDir)).isEmpty();

    Files.delete(runDir.resolve("out.log"));
    assertThat(new ProcessBuilder("mkfifo", runDir.resolve("out.log").toString()).start().waitFor())
        .isZero();

    assertThatThrownBy(() -> output(runDir)).hasMessageContaining("not a regular file");
  }

  @Test
  void shouldKnowItsOwnProcesses() throws Exception {
    Path runDir = launchShell("setsid sh -c 'echo $$ > child; exec sleep 300' & wait");
    awaitFile(runDir.resolve("child"));
    await().atMost(PATIENCE).until(() -> Files.size(runDir.resolve("child")) > 0);
    int child = pidIn(runDir.resolve("child"));

    assertThat(supervisor().owns(folder, child)).isTrue();
    assertThat(supervisor().owns(folder.resolve("locks"), child)).isFalse();
    assertThat(supervisor().owns(folder, (int) ProcessHandle.current().pid())).isFalse();
    assertThat(supervisor().owns(folder, Integer.MAX_VALUE)).isFalse();
  }

  @Test
  void shouldDestroyASupervisorAndAllOfItsJob() throws Exception {
    Path runDir =
        launchShell("setsid sh -c 'echo $$ > child; exec sleep 300' & while :; do sleep 0.1; done");
    awaitFile(runDir.resolve("child"));
    await().atMost(PATIENCE).until(() -> Files.size(runDir.resolve("child")) > 0);
    int child = pidIn(runDir.resolve("child"));
    int main = awaitSeen(runDir, Observation.Running.class).started().main().pid();

    supervisor().destroy(runDir);

    assertThat(awaitSeen(runDir, Observation.Ended.class).exit()).isEmpty();
    assertThat(alive(child)).isFalse();
    assertThat(alive(main)).isFalse();
    // The supervisor itself may take a moment more.
    await().atMost(PATIENCE).until(() -> supervisor().lock(DEVICE).free());
  }
}
