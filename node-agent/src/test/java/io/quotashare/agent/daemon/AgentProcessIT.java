package io.quotashare.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.quotashare.agent.session.FakeScheduler;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.StartAttempt;
import io.quotashare.proto.agent.v1.StopReason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent as it is run: a process, the stand-in NVML through JNA, the shim, gRPC on loopback. */
class AgentProcessIT {
  private static final String ATTEMPT = "queues/q/jobs/j/attempts/1";
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  @TempDir Path folder;
  private final FakeScheduler scheduler = new FakeScheduler();
  private final List<AgentProcess> agents = new ArrayList<>();
  private Server server;
  private String uuid = "";

  @BeforeEach
  void startScheduler() throws Exception {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(scheduler)
            .build()
            .start();
  }

  @AfterEach
  void stopAll() throws Exception {
    agents.forEach(AgentProcess::close);
    server.shutdownNow().awaitTermination();
  }

  private AgentProcess agent(String... more) throws Exception {
    return agent(Path.of("target/native/stub/libnvidia-ml.so.1").toAbsolutePath(), more);
  }

  private AgentProcess agent(Path nvmlLibrary, String... more) throws Exception {
    Path conf = folder.resolve("stub.conf");
    if (Files.notExists(conf)) {
      Files.writeString(conf, "seed " + folder.getFileName() + "\ndevices 2\nscan_processes on\n");
    }
    List<String> args =
        new ArrayList<>(
            List.of(
                "--dev",
                "--node",
                "n1",
                "--scheduler",
                "127.0.0.1:" + server.getPort(),
                "--state",
                folder.resolve("state").toString(),
                "--checkpoint-root",
                folder.resolve("ckpt").toString(),
                "--lock-dir",
                folder.resolve("locks").toString(),
                "--sweep-interval",
                "500ms",
                "--nvml-library",
                nvmlLibrary.toString(),
                "--labels",
                "pool=research"));
    args.addAll(List.of(more));
    AgentProcess agent =
        AgentProcess.start(
            folder, Map.of("QS_NVML_STUB_CONFIG", conf.toString()), args.toArray(String[]::new));
    agents.add(agent);
    return agent;
  }

  private void awaitSession() {
    await()
        .atMost(PATIENCE)
        .failFast("the agent has ended", () -> agents.stream().noneMatch(AgentProcess::isAlive))
        .untilAsserted(() -> assertThat(scheduler.hasSession()).as(output()).isTrue());
    uuid =
        scheduler.registrations().get(0).getInventory().getDevicesList().stream()
            .filter(device -> device.getIndex() == 0)
            .map(device -> device.getUuid())
            .findFirst()
            .orElseThrow();
  }

  private String output() {
    StringBuilder text = new StringBuilder();
    agents.forEach(agent -> text.append(agent.output()));
    return text.toString();
  }

  private void start(String... command) {
    scheduler.command(
        c ->
            c.setStart(
                StartAttempt.newBuilder()
                    .setAttempt(ATTEMPT)
                    .setShare("s")
                    .addDeviceUuids(uuid)
                    .setNodes(1)
                    .setGpusPerNode(1)
                    .addAllCommand(List.of(command))
                    .setGrace(com.google.protobuf.Duration.newBuilder().setSeconds(4))));
  }

  private void stop(long seconds, boolean saveFirst) {
    scheduler.command(
        c ->
            c.getStopBuilder()
                .setAttempt(ATTEMPT)
                .setRequestSeq(1)
                .setReason(StopReason.STOP_REASON_RECLAIM)
                .setSaveFirst(saveFirst)
                .getTimeLeftBuilder()
                .setSeconds(seconds));
  }

  private AttemptStatus awaitPhase(AttemptPhase phase) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(scheduler.phase(ATTEMPT))
                    .as("%s%n%s", scheduler.status(ATTEMPT), output())
                    .isEqualTo(phase));
    return scheduler.status(ATTEMPT).orElseThrow();
  }

  @Test
  void shouldStartReportStopAndFree() throws Exception {
    agent();
    awaitSession();
    start("sh", "-c", "echo hello; exec sleep 300");
    AttemptStatus running = awaitPhase(AttemptPhase.ATTEMPT_PHASE_RUNNING);
    assertThat(running.hasStartedAt()).isTrue();

    stop(10, false);
    AttemptStatus free = awaitPhase(AttemptPhase.ATTEMPT_PHASE_FREE);

    assertThat(free.getExitSignal()).isEqualTo(15);
    assertThat(free.hasExitCode()).isFalse();
    assertThat(free.hasStopRequestedAt()).isTrue();
    assertThat(free.hasTermSentAt()).isTrue();
    assertThat(free.hasKillSentAt()).isFalse();
    assertThat(free.getQuarantinedUuidsList()).isEmpty();
  }

  @Test
  void shouldLetJobsGoOnWithoutItAndFindThemAgain() throws Exception {
    AgentProcess first = agent();
    awaitSession();
    start("sh", "-c", "while :; do echo tick; sleep 0.1; done");
    awaitPhase(AttemptPhase.ATTEMPT_PHASE_RUNNING);
    first.kill();

    AgentProcess second = agent();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(scheduler.registrations()).as(second.output()).hasSize(2));
    assertThat(scheduler.registrations().get(1).getAttemptsList())
        .singleElement()
        .satisfies(
            status -> {
              assertThat(status.getAttempt()).isEqualTo(ATTEMPT);
              assertThat(status.getPhase()).isEqualTo(AttemptPhase.ATTEMPT_PHASE_RUNNING);
            });

    await().atMost(PATIENCE).until(scheduler::hasSession);
    stop(10, false);
    assertThat(awaitPhase(AttemptPhase.ATTEMPT_PHASE_FREE).getExitSignal()).isEqualTo(15);
  }

  @Test
  void shouldSayWhichCommandWasNotFoundAndWhere() throws Exception {
    agent();
    awaitSession();
    start("no-such-program", "x");
    AttemptStatus failed = awaitPhase(AttemptPhase.ATTEMPT_PHASE_START_FAILED);
    assertThat(failed.getDetail())
        .startsWith("command 'no-such-program' was not found on node n1: it is in none of /");
  }

  @Test
  void shouldEndOnSigtermSayThatJobsGoOnAndReportThemLater() throws Exception {
    AgentProcess first = agent();
    awaitSession();
    start("sh", "-c", "sleep 1; exit 7");
    awaitPhase(AttemptPhase.ATTEMPT_PHASE_RUNNING);

    assertThat(first.terminate()).isZero();
    assertThat(first.output()).contains("the agent ends; 1 job goes on, and is found again");

    agent();
    AttemptStatus free = awaitPhase(AttemptPhase.ATTEMPT_PHASE_FREE);
    assertThat(free.getExitCode()).isEqualTo(7);
  }

  @Test
  void shouldRefuseAStateFolderThatAnotherAgentUses() throws Exception {
    AgentProcess first = agent();
    awaitSession();
    AgentProcess second = agent();
    assertThat(second.awaitExit()).isEqualTo(1);
    assertThat(second.output())
        .contains("is in use by another agent (process " + first.pid() + ")");
    assertThat(first.isAlive()).isTrue();
  }

  @Test
  void shouldRegisterWithoutDevicesAndSayWhy() throws Exception {
    AgentProcess agent = agent(folder.resolve("no-such-library.so"));
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(scheduler.registrations()).as(output()).isNotEmpty());
    assertThat(scheduler.registrations().get(0).getInventory().getDevicesCount()).isZero();
    assertThat(scheduler.registrations().get(0).getInventory().getNvmlState())
        .isEqualTo("LIBRARY_NOT_FOUND");
    assertThat(agent.output()).contains("LIBRARY_NOT_FOUND");
  }

  @Test
  void shouldSaveWhenAskedAndResumeOnTheNextAttempt() throws Exception {
    agent();
    awaitSession();
    // Tier 2 of the contract in shell: looks for a request, saves, confirms, exits.
    start(
        "sh",
        "-c",
        "step=$(cat $QS_CHECKPOINT_DIR/step 2>/dev/null || echo 0); echo from $step resume $QS_RESUME;"
            + " while [ ! -e $QS_RUN_DIR/ctl ]; do step=$((step+1)); sleep 0.05; done;"
            + " now=$(date +%s); echo $step > $QS_CHECKPOINT_DIR/step;"
            + " seq=$(sed 's/.*\"seq\":\\([0-9]*\\).*/\\1/' $QS_RUN_DIR/ctl);"
            + " printf '{\"step\":%d,\"ckpt_step\":%d,\"ckpt_state_t\":%d,\"ckpt_durable_t\":%d,"
            + "\"ckpt_path\":\"step\",\"ack_seq\":%d,\"state\":\"stopped\"}' $step $step $now $now $seq"
            + " > $QS_RUN_DIR/progress.new; mv $QS_RUN_DIR/progress.new $QS_RUN_DIR/progress; exit 0");
    awaitPhase(AttemptPhase.ATTEMPT_PHASE_RUNNING);

    stop(30, true);

    AttemptStatus free = awaitPhase(AttemptPhase.ATTEMPT_PHASE_FREE);
    assertThat(free.getExitCode()).as(free.toString()).isZero();
    assertThat(free.hasTermSentAt()).isFalse();
    assertThat(free.getProgress().getAckSeq()).isEqualTo(1);
    assertThat(free.getProgress().getCheckpointStep()).isPositive();
    assertThat(free.getProgress().hasCheckpointDurableTime()).isTrue();
    assertThat(Files.readString(folder.resolve("ckpt/q/j/step")).strip())
        .isEqualTo(Long.toString(free.getProgress().getCheckpointStep()));
  }

  @Test
  void shouldSendTheOutputWhileItRunsAndAfterItsEnd() throws Exception {
    agent();
    awaitSession();
    start("sh", "-c", "echo one; while [ ! -e go ]; do sleep 0.05; done; echo two >&2");
    awaitPhase(AttemptPhase.ATTEMPT_PHASE_RUNNING);
    scheduler.command(
        c -> c.getFetchLogsBuilder().setRequestId("live").setAttempt(ATTEMPT).setFollow(true));
    await().atMost(PATIENCE).until(() -> scheduler.logText("live").equals("one\n"));

    Files.createFile(folder.resolve("state/attempts/q.j.1/work/go"));

    await().atMost(PATIENCE).until(() -> scheduler.logsComplete("live"));
    assertThat(scheduler.logText("live")).isEqualTo("one\ntwo\n");
    awaitPhase(AttemptPhase.ATTEMPT_PHASE_FREE);
    scheduler.command(
        c -> c.getFetchLogsBuilder().setRequestId("later").setAttempt(ATTEMPT).setOffset(4));
    await().atMost(PATIENCE).until(() -> scheduler.logsComplete("later"));
    assertThat(scheduler.logText("later")).isEqualTo("two\n");
  }

  @Test
  void shouldRegisterAgainWithWhatRunsWhenTheSessionBreaks() throws Exception {
    agent();
    awaitSession();
    start("sleep", "300");
    awaitPhase(AttemptPhase.ATTEMPT_PHASE_RUNNING);

    scheduler.dropSession();

    await().atMost(PATIENCE).until(() -> scheduler.registrations().size() == 2);
    assertThat(scheduler.registrations().get(1).getAttempts(0).getPhase())
        .isEqualTo(AttemptPhase.ATTEMPT_PHASE_RUNNING);
    await().atMost(PATIENCE).until(scheduler::hasSession);
    stop(0, false);
    assertThat(awaitPhase(AttemptPhase.ATTEMPT_PHASE_FREE).getExitSignal()).isEqualTo(9);
  }

  /** A2: the fence stands in the supervisor, so it holds without an agent. */
  @Test
  void shouldStopTheJobAtTheEndOfItsLeaseWithoutAnAgent() throws Exception {
    AgentProcess first = agent();
    awaitSession();
    scheduler.command(
        c -> {
          StartAttempt.Builder start = c.getStartBuilder().setAttempt(ATTEMPT).setNodes(1);
          start.addDeviceUuids(uuid).addCommand("sleep").addCommand("300");
          start.getGraceBuilder().setSeconds(2);
          start.getLostAfterBuilder().setSeconds(3);
        });
    awaitPhase(AttemptPhase.ATTEMPT_PHASE_RUNNING);
    first.kill();

    Path exit = folder.resolve("state/attempts/q.j.1/exit");
    await().atMost(PATIENCE).until(() -> Files.exists(exit));
    assertThat(Files.readString(exit)).contains("\"cause\":\"lease\"");

    agent();
    AttemptStatus free = awaitPhase(AttemptPhase.ATTEMPT_PHASE_FREE);
    assertThat(free.getExitSignal()).isEqualTo(15);
    assertThat(free.getDetail()).contains("silent for longer than its lost-after");
  }

  /** A5: a device that something still uses is not given to anybody. */
  @Test
  void shouldQuarantineADeviceThatIsStillUsedAndLetItOutLater() throws Exception {
    agent("--release-timeout=1s");
    awaitSession();
    start("sleep", "300");
    awaitPhase(AttemptPhase.ATTEMPT_PHASE_RUNNING);
    Path conf = folder.resolve("stub.conf");
    String idle = Files.readString(conf);
    replace(conf, idle + "device 0 process " + server.getPort() + " 100\n");

    stop(0, false);

    AttemptStatus free = awaitPhase(AttemptPhase.ATTEMPT_PHASE_FREE);
    assertThat(free.getQuarantinedUuidsList()).containsExactly(uuid);
    assertThat(free.getDetail()).contains("device " + uuid + " is still used by process [");
    await()
        .atMost(PATIENCE)
        .until(() -> scheduler.inventories().stream().anyMatch(i -> unhealthy(i.getInventory())));

    replace(conf, idle);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(scheduler.inventories())
                    .last()
                    .satisfies(i -> assertThat(unhealthy(i.getInventory())).isFalse()));
  }

  private boolean unhealthy(io.quotashare.proto.agent.v1.Inventory inventory) {
    return inventory.getDevicesList().stream()
        .anyMatch(d -> d.getUuid().equals(uuid) && d.getHealthDetail().startsWith("QUARANTINED"));
  }

  private static void replace(Path file, String text) throws Exception {
    Path aside = file.resolveSibling("stub.new");
    Files.writeString(aside, text);
    Files.move(aside, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void shouldSayAtOnceWhatItCannotWorkWith() throws Exception {
    AgentProcess noCgroup = agent("--cgroup-root=" + folder);
    assertThat(noCgroup.awaitExit()).isEqualTo(1);
    assertThat(noCgroup.output())
        .contains("quotashare agent: cgroup-root: " + folder + " (expected: a cgroup v2 folder");

    AgentProcess noShim = agent("--shim=" + folder.resolve("nothing"));
    assertThat(noShim.awaitExit()).isEqualTo(1);
    assertThat(noShim.output())
        .contains("the supervisor program " + folder.resolve("nothing") + " is missing")
        .doesNotContain("Exception");

    Files.writeString(folder.resolve("state/journal.log"), "garbage\n");
    AgentProcess damaged = agent();
    assertThat(damaged.awaitExit()).isEqualTo(1);
    assertThat(damaged.output())
        .contains("journal.log is damaged in line 1")
        .doesNotContain("Exception");
  }
}
