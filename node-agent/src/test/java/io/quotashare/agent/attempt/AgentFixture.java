package io.quotashare.agent.attempt;

import io.quotashare.agent.inventory.FakeInventorySource;
import io.quotashare.agent.supervise.FakeSupervisor;
import io.quotashare.agent.time.ManualClock;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.CheckpointAttempt;
import io.quotashare.proto.agent.v1.StartAttempt;
import io.quotashare.proto.agent.v1.StopAttempt;
import io.quotashare.proto.agent.v1.StopReason;
import java.nio.file.Path;
import java.util.function.Consumer;

/** The attempts of a node on parts that a test holds in its hand, in virtual time. */
public final class AgentFixture {
  public static final String ATTEMPT = "queues/q/jobs/j/attempts/1";
  public static final AttemptName NAME = AttemptName.parse(ATTEMPT);
  public static final String GPU0 = "GPU-n-0";
  public static final String GPU1 = "GPU-n-1";
  static final long GRACE_MILLIS = 60_000;
  static final long RELEASE_TIMEOUT_MILLIS = 30_000;
  static final long START_TIMEOUT_MILLIS = 30_000;

  static final long KEEP_MILLIS = 10 * 24 * 3_600_000L;

  public final ManualClock clock = new ManualClock();
  public final FakeSupervisor supervisor = new FakeSupervisor(clock);
  public final MemoryRunFolders folders = new MemoryRunFolders();
  public final MemoryJournal journal = new MemoryJournal();
  public final ManualGate gate = new ManualGate();
  public final FakeInventorySource inventory = FakeInventorySource.h100("n", 2);
  public Attempts attempts = newAttempts(journal);

  public AgentFixture() {
    attempts.recover();
  }

  private Attempts newAttempts(AttemptJournal on) {
    return new Attempts(
        supervisor,
        folders,
        on,
        gate,
        inventory,
        clock,
        new AttemptSettings(
            "n1",
            new JobUser("u", "/home/u", "/usr/bin:/bin", "C.UTF-8"),
            START_TIMEOUT_MILLIS,
            RELEASE_TIMEOUT_MILLIS,
            3,
            KEEP_MILLIS,
            1_000));
  }

  /** The agent process dies and another one takes over. */
  public void restart() {
    restartOn(journal);
  }

  /** The agent process dies, and the next one uses another way to the same journal. */
  void restartOn(AttemptJournal on) {
    attempts = newAttempts(on);
    attempts.recover();
  }

  public static Path runDir() {
    return Path.of("/attempts").resolve(NAME.folder());
  }

  public void start(Consumer<StartAttempt.Builder> tweak) {
    StartAttempt.Builder command =
        StartAttempt.newBuilder()
            .setAttempt(ATTEMPT)
            .setShare("s")
            .addDeviceUuids(GPU0)
            .setNodes(1)
            .setGpusPerNode(1)
            .addCommand("train");
    command.getGraceBuilder().setSeconds(GRACE_MILLIS / 1_000);
    tweak.accept(command);
    attempts.start(command.build(), 1);
  }

  /** Starts the attempt and lets its program run. */
  public void startAndRun() {
    start(command -> {});
    supervisor.running(runDir());
    attempts.tick();
  }

  public void stop(long seq, long seconds, boolean saveFirst) {
    StopAttempt.Builder command =
        StopAttempt.newBuilder()
            .setAttempt(ATTEMPT)
            .setRequestSeq(seq)
            .setReason(StopReason.STOP_REASON_RECLAIM)
            .setSaveFirst(saveFirst);
    command.getTimeLeftBuilder().setSeconds(seconds);
    attempts.stop(command.build());
  }

  public void checkpoint(long seq) {
    attempts.checkpoint(
        CheckpointAttempt.newBuilder()
            .setAttempt(ATTEMPT)
            .setRequestSeq(seq)
            .setReason(StopReason.STOP_REASON_ADMIN)
            .build());
  }

  /** Lets time go by and looks. */
  public void tickAfter(long millis) {
    clock.advance(millis);
    attempts.tick();
  }

  /** Status of the attempt, as long as the scheduler does not have its end. */
  public AttemptStatus status() {
    return attempts.unfinished().stream()
        .filter(status -> status.getAttempt().equals(ATTEMPT))
        .findFirst()
        .orElseThrow(() -> new AssertionError(ATTEMPT + " is not there"));
  }

  public AttemptPhase phase() {
    return status().getPhase();
  }

  /** The scheduler acknowledges everything. */
  public void acknowledgeAll() {
    attempts.unacknowledged().forEach(s -> attempts.acknowledge(s.getAttempt(), s.getVersion()));
  }
}
