package io.quotashare.integration.words;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.quotashare.client.QuotaShare;
import io.quotashare.client.SharingStrategy;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.JobSpec;
import io.quotashare.proto.v1.PolicyQueue;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.QuotaShareServiceGrpc;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.server.QuotaShareServer;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ListenAddress;
import io.quotashare.server.config.ServerConfig;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The Java client refuses on its own what the scheduler would refuse, and says of the same value
 * that the same was expected, word for word. One row a rule: the value just outside of the range,
 * put into the client's builder and into the bare request.
 */
class SameRangesTest {
  @TempDir private static Path folder;
  private static QuotaShareServer server;
  private static ManagedChannel channel;

  @BeforeAll
  static void start() {
    ListenAddress any = new ListenAddress("127.0.0.1", 0);
    server =
        QuotaShareServer.start(
            ServerConfig.builder()
                .set(ConfigKeys.DEV, true)
                .set(ConfigKeys.DATA, folder.resolve("data"))
                .set(ConfigKeys.LISTEN, any)
                .set(ConfigKeys.AGENT_LISTEN, any)
                .set(ConfigKeys.ADMIN_LISTEN, any)
                .set(ConfigKeys.HTTP_LISTEN, any)
                .build());
    channel = ManagedChannelBuilder.forTarget(server.address().toString()).usePlaintext().build();
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    server.close();
  }

  /**
   * A value out of its range.
   *
   * @param name for people
   * @param inClient puts it into the client's builder
   * @param inRequest puts it into the request
   */
  private record Row(
      String name,
      UnaryOperator<io.quotashare.client.JobSpec.Builder> inClient,
      UnaryOperator<JobSpec.Builder> inRequest) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Row row(
      String name,
      UnaryOperator<io.quotashare.client.JobSpec.Builder> inClient,
      UnaryOperator<JobSpec.Builder> inRequest) {
    return new Row(name, inClient, inRequest);
  }

  static Stream<Row> jobs() {
    String longName = "x".repeat(129);
    String longWord = "x".repeat(128 * 1024);
    List<String> manyWords = Collections.nCopies(4097, "x");
    List<String> muchText = Collections.nCopies(600, "x".repeat(1024));
    return Stream.of(
        row("name", b -> b.name(longName), s -> s.setDisplayName(longName)),
        row("name, two lines", b -> b.name("a\nb"), s -> s.setDisplayName("a\nb")),
        row("unit", b -> b.unit("a b"), s -> s.setUnit("a b")),
        row("priority", b -> b.priority(10_000), s -> s.setPriority(10_000)),
        row("gpus", b -> b.gpus(0), s -> s.setGpus(0)),
        row("gpus, too many", b -> b.gpus(40_960_001), s -> s.setGpus(40_960_001)),
        row("gpus and nodes", b -> b.shape(1, 1), s -> s.setNodes(1).setGpusPerNode(1)),
        row("command, none", b -> b.command(), s -> s.clearCommand()),
        row("command, no program", b -> b.command(""), s -> s.setCommand(0, "")),
        row("command, NUL", b -> b.command("a", "\0"), s -> s.addCommand("\0")),
        row("command, long word", b -> b.command("x", longWord), s -> s.addCommand(longWord)),
        row("command, many", b -> b.command(manyWords), s -> commands(s, manyWords)),
        row("command, in all", b -> b.command(muchText), s -> commands(s, muchText)),
        row("env, name", b -> b.env("1A", "v"), s -> s.putEnv("1A", "v")),
        row("env, reserved", b -> b.env("LD_X", "v"), s -> s.putEnv("LD_X", "v")),
        row("env, of the agent", b -> b.env("MASTER_ADDR", "v"), s -> s.putEnv("MASTER_ADDR", "v")),
        row("env, value", b -> b.env("A", longWord), s -> s.putEnv("A", longWord)),
        row("folder", b -> b.workingDirectory("tmp"), s -> s.setWorkingDirectory("tmp")),
        row("label, key", b -> b.label("a b", "v"), s -> s.putLabels("a b", "v")),
        row("label, value", b -> b.label("a", longName), s -> s.putLabels("a", longName)),
        row("timeLimit", b -> b.timeLimit(span(0)), s -> s.setTimeLimit(seconds(0))),
        row(
            "timeLimit, too long",
            b -> b.timeLimit(span(315_360_001)),
            s -> s.setTimeLimit(seconds(315_360_001))),
        row("grace", b -> b.grace(span(86_401)), s -> s.setGrace(seconds(86_401))),
        row("lostAfter", b -> b.lostAfter(span(0)), s -> s.setLostAfter(seconds(0))),
        row(
            "checkpointEvery",
            b -> b.checkpointEvery(java.time.Duration.ofNanos(1)),
            s -> s.setCheckpointEvery(Duration.newBuilder().setNanos(1))),
        row("retries", b -> b.retries(11), s -> s.setRetries(11)),
        row(
            "preemption retries",
            b -> b.preemptionRetriesBeforeTermination(-1),
            s -> s.setPreemptionRetriesBeforeTermination(-1)));
  }

  private static JobSpec.Builder commands(JobSpec.Builder spec, List<String> words) {
    return spec.clearCommand().addAllCommand(words);
  }

  private static java.time.Duration span(long seconds) {
    return java.time.Duration.ofSeconds(seconds);
  }

  private static Duration seconds(long seconds) {
    return Duration.newBuilder().setSeconds(seconds).build();
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void jobIsRefusedWithTheSameWords(Row row) {
    var builder = io.quotashare.client.JobSpec.builder("q", "s").command("train");
    if (!row.name().startsWith("gpus,") && !row.name().equals("gpus")) {
      builder.gpus(1);
    }
    String client =
        catchThrowableOfType(
                IllegalArgumentException.class, () -> row.inClient().apply(builder).build())
            .getMessage();
    JobSpec.Builder spec =
        JobSpec.newBuilder().setShare("queues/q/shares/s").setGpus(1).addCommand("train");
    StatusRuntimeException refused =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                JobServiceGrpc.newBlockingStub(channel)
                    .submitJob(
                        SubmitJobRequest.newBuilder()
                            .setParent("queues/q")
                            .setSpec(row.inRequest().apply(spec))
                            .build()));

    assertSameWords(client, refused);
  }

  private static void assertSameWords(String client, StatusRuntimeException refused) {
    String scheduler = description(refused);
    int from = scheduler.indexOf("(expected: ");
    assertThat(from).as(scheduler).isNotNegative();
    String expectation = scheduler.substring(from + "(expected: ".length(), scheduler.length() - 1);
    // Fields are named as in each language: gpus_per_node is gpusPerNode in Java.
    assertThat(client)
        .endsWith(", expected " + expectation.replace("gpus_per_node", "gpusPerNode"));
  }

  private static String description(StatusRuntimeException refused) {
    try {
      BadRequest details =
          Objects.requireNonNull(StatusProto.fromThrowable(refused)).getDetailsList().stream()
              .filter(any -> any.is(BadRequest.class))
              .findFirst()
              .orElseThrow()
              .unpack(BadRequest.class);
      return details.getFieldViolations(0).getDescription();
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private record ShareRow(String name, QuotaShare share, io.quotashare.proto.v1.QuotaShare sent) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<ShareRow> shares() {
    var good =
        io.quotashare.proto.v1.QuotaShare.newBuilder()
            .setName("queues/q/shares/s")
            .putCapacity("H100", 1)
            .setStrategy(io.quotashare.proto.v1.SharingStrategy.SHARING_STRATEGY_LEND_AND_BORROW)
            .setInSharePreemption(true)
            .build();
    return Stream.of(
        new ShareRow(
            "capacity",
            share(Map.of("H100", 10_000_001), null, null, 1, span(0)),
            good.toBuilder().putCapacity("H100", 10_000_001).build()),
        new ShareRow(
            "unit",
            share(Map.of("a b", 1), null, null, 1, span(0)),
            good.toBuilder().clearCapacity().putCapacity("a b", 1).build()),
        new ShareRow(
            "borrowLimitPercent",
            share(Map.of("H100", 1), 1_000_001, null, 1, span(0)),
            good.toBuilder().setBorrowLimitPercent(1_000_001).build()),
        new ShareRow(
            "lendLimitPercent",
            share(Map.of("H100", 1), null, 101, 1, span(0)),
            good.toBuilder().setLendLimitPercent(101).build()),
        new ShareRow(
            "weight",
            share(Map.of("H100", 1), null, null, 1_000_001, span(0)),
            good.toBuilder().setWeight(1_000_001).build()),
        new ShareRow(
            "minRuntime",
            share(Map.of("H100", 1), null, null, 1, span(315_360_001)),
            good.toBuilder().setMinRuntime(seconds(315_360_001)).build()));
  }

  private static QuotaShare share(
      Map<String, Integer> capacity,
      @Nullable Integer borrowPercent,
      @Nullable Integer lendPercent,
      int weight,
      java.time.Duration minRuntime) {
    return new QuotaShare(
        "q",
        "s",
        capacity,
        SharingStrategy.LEND_AND_BORROW,
        borrowPercent,
        Map.of(),
        lendPercent,
        Map.of(),
        true,
        io.quotashare.client.ShareOrdering.STRICT,
        weight,
        minRuntime,
        io.quotashare.client.AdminState.ENABLED,
        "");
  }

  @ParameterizedTest
  @MethodSource("shares")
  void shareIsRefusedWithTheSameWords(ShareRow row) {
    StatusRuntimeException refused =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                QuotaShareServiceGrpc.newBlockingStub(channel)
                    .applyPolicy(
                        ApplyPolicyRequest.newBuilder()
                            .addQueues(
                                PolicyQueue.newBuilder()
                                    .setQueue(Queue.newBuilder().setName("queues/q"))
                                    .addShares(row.sent()))
                            .build()));

    assertThat(row.share().problems()).hasSize(1);
    assertSameWords(row.share().problems().get(0).message(), refused);
  }
}
