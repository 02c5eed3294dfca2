package io.quotashare.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.quotashare.proto.admin.v1.AdminServiceGrpc;
import io.quotashare.proto.admin.v1.GetSchedulerStatusRequest;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.QuotaShareServiceGrpc;
import io.quotashare.proto.v1.SubmitJobResponse;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ListenAddress;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.grpc.ListenException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program itself: real threads, sockets and files. */
class QuotaShareServerTest {
  private static final ListenAddress ANY = new ListenAddress("127.0.0.1", 0);

  @TempDir Path data;

  private final List<ManagedChannel> channels = new ArrayList<>();
  private QuotaShareServer server;

  @AfterEach
  void stop() {
    channels.forEach(ManagedChannel::shutdownNow);
    if (server != null) {
      server.close();
    }
  }

  @Test
  void jobsAreThereAfterARestart() {
    server = QuotaShareServer.start(config());
    QuotaShareServiceGrpc.newBlockingStub(channel(server.address()))
        .applyPolicy(Policies.lenderAndBorrower());
    SubmitJobResponse submitted =
        jobs()
            .submitJob(
                Policies.submit("a", "lender", 1)
                    .setRequestId("0b7e8d3e-8b7c-4f0e-9a52-5a8b8a3c1d00")
                    .build());
    assertThat(server.summary()).contains("epoch 1", "recovered 0 jobs");
    server.close();

    server = QuotaShareServer.start(config());

    assertThat(server.summary()).contains("epoch 2", "recovered 1 jobs");
    assertThat(
            jobs()
                .getJob(GetJobRequest.newBuilder().setName("queues/research/jobs/a").build())
                .getJob()
                .getName())
        .isEqualTo(submitted.getJob().getName());
    assertThat(
            jobs()
                .submitJob(
                    Policies.submit("a", "lender", 1)
                        .setRequestId("0b7e8d3e-8b7c-4f0e-9a52-5a8b8a3c1d00")
                        .build()))
        .isEqualTo(submitted);
  }

  @Test
  void everyListenerSaysThatItServes() throws Exception {
    server = QuotaShareServer.start(config());

    for (ListenAddress address :
        List.of(server.address(), server.agentAddress(), server.adminAddress())) {
      assertThat(
              HealthGrpc.newBlockingStub(channel(address))
                  .check(HealthCheckRequest.getDefaultInstance())
                  .getStatus())
          .isEqualTo(ServingStatus.SERVING);
    }
    assertThat(
            AdminServiceGrpc.newBlockingStub(channel(server.adminAddress()))
                .getSchedulerStatus(GetSchedulerStatusRequest.getDefaultInstance())
                .getEpoch())
        .isEqualTo(1);
    assertThat(get("/healthz").body()).isEqualTo("ok\n");
    assertThat(get("/readyz").statusCode()).isEqualTo(200);
    assertThat(get("/metrics").body()).contains("quotashare_leader 1.0");
    assertThat(get("/metrics/x").statusCode()).isEqualTo(404);
    assertThat(get("/").statusCode()).isEqualTo(404);
  }

  @Test
  void servicesAreOnTheirOwnListeners() {
    server = QuotaShareServer.start(config());

    assertThatThrownBy(
            () ->
                AdminServiceGrpc.newBlockingStub(channel(server.address()))
                    .getSchedulerStatus(GetSchedulerStatusRequest.getDefaultInstance()))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED));
    assertThat(reflects(server.address())).isTrue();
    assertThat(reflects(server.adminAddress())).isTrue();
    assertThat(reflects(server.agentAddress())).isFalse();
  }

  @Test
  void oversizeMessagesAndHeadersAreRefusedAndOthersServed() {
    server = QuotaShareServer.start(config());
    var large = Policies.submit("a", "lender", 1);
    large.getSpecBuilder().putEnv("A", "x".repeat(2 << 20));
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("x-large", Metadata.ASCII_STRING_MARSHALLER), "x".repeat(9_000));

    assertThatThrownBy(() -> jobs().submitJob(large.build()))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
    assertThatThrownBy(
            () ->
                jobs()
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                    .listJobs(ListJobsRequest.newBuilder().setParent("queues/-").build()))
        .isInstanceOf(StatusRuntimeException.class);
    assertThat(
            jobs()
                .listJobs(ListJobsRequest.newBuilder().setParent("queues/-").build())
                .getJobsCount())
        .isZero();
  }

  @Test
  void addressInUseIsNamedWithItsFlag() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      ListenAddress same = new ListenAddress("127.0.0.1", taken.getLocalPort());

      assertThatThrownBy(
              () -> QuotaShareServer.start(builder().set(ConfigKeys.AGENT_LISTEN, same).build()))
          .isInstanceOf(ListenException.class)
          .hasMessage(
              "cannot listen on %s: the address is in use; choose another by --agent-listen (key"
                  + " agentListen)",
              address);
      assertThatThrownBy(
              () -> QuotaShareServer.start(builder().set(ConfigKeys.HTTP_LISTEN, same).build()))
          .isInstanceOf(ListenException.class)
          .hasMessageContaining("--http-listen");
    }
    server = QuotaShareServer.start(config());
    assertThat(server.address().port()).as("nothing was left open").isPositive();
  }

  @Test
  void dataOfARunningSchedulerIsNotTakenOver() {
    server = QuotaShareServer.start(config());

    Output output = run("--dev", "--data", data.toString(), "--listen", "127.0.0.1:0");

    assertThat(output.status).isEqualTo(1);
    assertThat(output.err).startsWith("quotashare server: ").contains(data.toString());
  }

  @Test
  void badUsageIsExitStatusTwo() {
    assertThat(run().status).isEqualTo(2);
    assertThat(run().err).contains("--dev");
    Output output = run("--dev", "--listen", "0.0.0.0:7070");
    assertThat(output.status).isEqualTo(2);
    assertThat(output.err).contains("loopback");
    assertThat(run("--help").status).isZero();
    assertThat(run("--help").out).contains("--agent-listen");
  }

  private record Output(int status, String out, String err) {}

  private static Output run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        Main.run(
            List.of(args),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    return new Output(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private ServerConfig.Builder builder() {
    return ServerConfig.builder()
        .set(ConfigKeys.DEV, true)
        .set(ConfigKeys.DATA, data)
        .set(ConfigKeys.LISTEN, ANY)
        .set(ConfigKeys.AGENT_LISTEN, ANY)
        .set(ConfigKeys.ADMIN_LISTEN, ANY)
        .set(ConfigKeys.HTTP_LISTEN, ANY);
  }

  private ServerConfig config() {
    return builder().build();
  }

  private ManagedChannel channel(ListenAddress address) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(address.toSocketAddress()).usePlaintext().build();
    channels.add(channel);
    return channel;
  }

  private JobServiceGrpc.JobServiceBlockingStub jobs() {
    return JobServiceGrpc.newBlockingStub(channel(server.address()))
        .withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  private boolean reflects(ListenAddress address) {
    CompletableFuture<Boolean> answered = new CompletableFuture<>();
    ServerReflectionGrpc.newStub(channel(address))
        .serverReflectionInfo(
            new StreamObserver<>() {
              @Override
              public void onNext(ServerReflectionResponse response) {
                answered.complete(true);
              }

              @Override
              public void onError(Throwable cause) {
                answered.complete(false);
              }

              @Override
              public void onCompleted() {
                answered.complete(false);
              }
            })
        .onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    return answered.orTimeout(20, TimeUnit.SECONDS).join();
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://" + server.httpAddress() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }
}
