package io.quotashare.agent.session;

import static io.quotashare.agent.attempt.AgentFixture.ATTEMPT;
import static io.quotashare.agent.attempt.AgentFixture.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.quotashare.agent.attempt.AttemptName;
import io.quotashare.agent.attempt.DiskRunFolders;
import io.quotashare.agent.threads.WatchedExecutor;
import io.quotashare.proto.agent.v1.FetchLogs;
import io.quotashare.proto.agent.v1.PushLogsRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output from the files of the shim over gRPC to the scheduler. */
class OutputPushTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path folder;
  private final FakeScheduler scheduler = new FakeScheduler();
  private final AtomicBoolean live = new AtomicBoolean(true);
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final WatchedExecutor readers = new WatchedExecutor("test-output", 1, failures::add);
  private Server server;
  private SchedulerLink link;
  private OutputPusher pusher;
  private Path runDir = Path.of("");

  @BeforeEach
  void setUp() throws Exception {
    String name = InProcessServerBuilder.generateName();
    server = InProcessServerBuilder.forName(name).addService(scheduler).build().start();
    ManagedChannel channel = InProcessChannelBuilder.forName(name).build();
    link = new GrpcSchedulerLink(channel, Runnable::run);
    DiskRunFolders folders = new DiskRunFolders(folder.resolve("a"), folder.resolve("c"));
    runDir = Files.createDirectory(folders.of(NAME));
    pusher = new FileOutputPusher(link, folders, this::isLive, readers);
  }

  private boolean isLive(AttemptName name) {
    return live.get();
  }

  @AfterEach
  void tearDown() throws Exception {
    pusher.close();
    link.close();
    server.shutdownNow().awaitTermination();
    assertThat(failures).isEmpty();
  }

  private void fetch(String request, long offset, boolean follow) {
    pusher.push(
        FetchLogs.newBuilder()
            .setRequestId(request)
            .setAttempt(ATTEMPT)
            .setOffset(offset)
            .setFollow(follow)
            .build());
  }

  private void awaitComplete(String request) {
    await().atMost(PATIENCE).until(() -> scheduler.logsComplete(request));
  }

  private void write(String file, String text) throws Exception {
    Files.writeString(
        runDir.resolve(file), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void shouldSendWhatThereIs() throws Exception {
    write("out.log", "hello\n");
    fetch("r1", 0, false);
    awaitComplete("r1");
    assertThat(scheduler.logText("r1")).isEqualTo("hello\n");
    assertThat(scheduler.logs("r1")).allMatch(piece -> piece.getError().isEmpty());
  }

  @Test
  void shouldNameItsRequestAlsoWhenThereIsNothing() throws Exception {
    write("out.log", "");
    fetch("r1", 0, false);
    awaitComplete("r1");
    assertThat(scheduler.logs("r1")).isNotEmpty();
    assertThat(scheduler.logText("r1")).isEmpty();
  }

  @Test
  void shouldSendPiecesOfAtMost64KibWithTheirOffsets() throws Exception {
    write("out.log", "x".repeat(200_000));
    fetch("r1", 1_000, false);
    awaitComplete("r1");
    long next = 1_000;
    for (PushLogsRequest piece : scheduler.logs("r1")) {
      assertThat(piece.getData().size()).isLessThanOrEqualTo(65_536);
      assertThat(piece.getOffset()).isEqualTo(next);
      next += piece.getData().size();
    }
    assertThat(next).isEqualTo(200_000);
  }

  @Test
  void shouldReadOnOverRotatedFiles() throws Exception {
    write("out.log.00000000000000000100", "older-");
    write("out.log.00000000000000000106", "old-");
    write("out.log", "new");
    fetch("r1", 0, false);
    awaitComplete("r1");
    assertThat(scheduler.logText("r1")).isEqualTo("older-old-new");
    // The first piece tells that what came before is gone.
    assertThat(scheduler.logs("r1").get(1).getOffset()).isEqualTo(100);

    fetch("r2", 108, false);
    awaitComplete("r2");
    assertThat(scheduler.logText("r2")).isEqualTo("d-new");
  }

  @Test
  void shouldFollowUntilTheAttemptHasEnded() throws Exception {
    write("out.log", "one\n");
    fetch("r1", 0, true);
    await().atMost(PATIENCE).until(() -> scheduler.logText("r1").equals("one\n"));
    write("out.log", "two\n");
    await().atMost(PATIENCE).until(() -> scheduler.logText("r1").equals("one\ntwo\n"));
    assertThat(scheduler.logsComplete("r1")).isFalse();

    write("out.log", "last\n");
    live.set(false);

    awaitComplete("r1");
    assertThat(scheduler.logText("r1")).isEqualTo("one\ntwo\nlast\n");
  }

  @Test
  void shouldSayWhyThereIsNoOutput() {
    pusher.push(
        FetchLogs.newBuilder().setRequestId("r1").setAttempt("queues/q/jobs/j/attempts/9").build());
    awaitComplete("r1");
    assertThat(scheduler.logs("r1"))
        .singleElement()
        .satisfies(
            piece ->
                assertThat(piece.getError())
                    .contains("no output of queues/q/jobs/j/attempts/9 on this node"));

    pusher.push(FetchLogs.newBuilder().setRequestId("r2").setAttempt("../../etc").build());
    awaitComplete("r2");
    assertThat(scheduler.logs("r2").get(0).getError()).contains("expected: queues/{queue}");
  }

  @Test
  void shouldNotFollowALinkThatTheJobHasPutInPlace() throws Exception {
    Path secret = Files.write(folder.resolve("secret"), "key".getBytes(StandardCharsets.UTF_8));
    Files.createSymbolicLink(runDir.resolve("out.log"), secret);
    fetch("r1", 0, false);
    awaitComplete("r1");
    assertThat(scheduler.logText("r1")).isEmpty();
    assertThat(scheduler.logs("r1")).last().satisfies(p -> assertThat(p.getError()).isNotEmpty());
  }

  @Test
  void shouldAnswerOnlySoManyAtOneTime() throws Exception {
    write("out.log", "x");
    for (int i = 0; i <= FileOutputPusher.PUSHES_MAX; i++) {
      fetch("r" + i, 0, true);
    }
    String last = "r" + FileOutputPusher.PUSHES_MAX;
    awaitComplete(last);
    assertThat(scheduler.logs(last).get(0).getError()).contains("try again later");
    live.set(false);
    for (int i = 0; i < FileOutputPusher.PUSHES_MAX; i++) {
      awaitComplete("r" + i);
    }
  }
}
