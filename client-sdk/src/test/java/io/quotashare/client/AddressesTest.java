package io.quotashare.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.quotashare.client.fake.FakeJobs;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.admin.v1.PauseSchedulingRequest;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Over TCP on loopback: addresses, a scheduler that is not there, several of which one leads. */
class AddressesTest {
  private static final String NAME = "queues/q/jobs/j";
  private static final Duration LONG = Duration.ofSeconds(20);

  /** A scheduler on a port of its own, with health. */
  private static final class OnPort implements AutoCloseable {
    final FakeScheduler fake = new FakeScheduler();
    final HealthStatusManager health = new HealthStatusManager();
    final Server server;

    OnPort(ServingStatus status) throws IOException {
      this(status, 0);
    }

    OnPort(ServingStatus status, int port) throws IOException {
      health.setStatus("", status);
      fake.jobs.put(FakeJobs.job("j", "a", 1));
      NettyServerBuilder builder =
          NettyServerBuilder.forAddress(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
              .addService(health.getHealthService());
      fake.services().forEach(builder::addService);
      server = builder.build().start();
    }

    String address() {
      return "127.0.0.1:" + server.getPort();
    }

    @Override
    public void close() {
      server.shutdownNow();
      try {
        assertThat(server.awaitTermination(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
      fake.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "host", "host:", ":7070", "host:0", "host:65536", "ho st:1", "::1:7070"})
  void anAddressNeedsHostAndPort(String address) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QuotaShareClient.connect(address))
        .withMessageContaining("\"" + address + "\"")
        .withMessageContaining("expected HOST:PORT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:1,", ",a:1", "a:1,,b:2", "a:1;b:2", "a:1,b"})
  void oneWrongAddressOfSeveralIsRefused(String addresses) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QuotaShareClient.connect(addresses))
        .withMessageContaining("expected HOST:PORT");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QuotaShareClient.builder("a:1").adminAddress(addresses))
        .withMessageContaining("expected HOST:PORT");
  }

  @Test
  void aSchedulerThatIsNotThereIsNamed() throws IOException {
    int free = freePort();
    try (QuotaShareClient client = QuotaShareClient.connect("127.0.0.1:" + free)) {
      assertThatThrownBy(() -> client.jobs().get(NAME))
          .isInstanceOf(SchedulerUnavailableException.class)
          .hasMessageContaining("no scheduler answers at 127.0.0.1:" + free)
          .hasMessageContaining("Connection refused");
    }
  }

  /** By itself, a channel that failed for a while waits longer and longer before it dials again. */
  @Test
  void aSchedulerThatIsBackIsFoundByTheNextCall() throws IOException {
    int port = freePort();
    try (QuotaShareClient client = QuotaShareClient.connect("127.0.0.1:" + port)) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> client.jobs().get(NAME))
            .isInstanceOf(SchedulerUnavailableException.class);
      }
      try (OnPort back = new OnPort(ServingStatus.SERVING, port)) {
        assertThat(client.jobs().get(NAME).id()).isEqualTo("j");
        assertThat(back.fake.requests(GetJobRequest.class)).hasSize(1);
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void theOneThatServesIsFoundAmongSeveral() throws IOException {
    try (OnPort standby = new OnPort(ServingStatus.NOT_SERVING);
        OnPort leader = new OnPort(ServingStatus.SERVING);
        QuotaShareClient client =
            QuotaShareClient.connect(standby.address(), leader.address(), "127.0.0.1:1")) {
      for (int i = 0; i < 5; i++) {
        assertThat(client.jobs().get(NAME).id()).isEqualTo("j");
      }
      assertThat(leader.fake.requests(GetJobRequest.class)).hasSize(5);
      assertThat(standby.fake.requests(GetJobRequest.class)).isEmpty();

      leader.health.setStatus("", ServingStatus.NOT_SERVING);
      standby.health.setStatus("", ServingStatus.SERVING);

      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(
              () -> {
                client.jobs().get(NAME);
                assertThat(standby.fake.requests(GetJobRequest.class)).isNotEmpty();
              });
    }
  }

  /** Accepts connections and never says a word: what a host that hangs looks like. */
  private static ServerSocket mute() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @Test
  void addressesMayStandInOneTextAndDeadOnesCostNothing() throws IOException {
    try (ServerSocket mute = mute();
        OnPort leader = new OnPort(ServingStatus.SERVING)) {
      String addresses =
          "127.0.0.1:" + freePort() + ", 127.0.0.1:" + mute.getLocalPort() + "," + leader.address();
      try (QuotaShareClient client = QuotaShareClient.connect(addresses)) {
        long start = System.nanoTime();

        assertThat(client.jobs().get(NAME).id()).isEqualTo("j");

        // The deadline of a read is 5 s: a client that waited for the mute one would not make it.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
        assertThat(client.jobs().get(NAME).id()).isEqualTo("j");
        assertThat(leader.fake.requests(GetJobRequest.class)).hasSize(2);
      }
    }
  }

  @Test
  void theAdminServiceIsFoundAmongSeveralToo() throws IOException {
    try (OnPort standby = new OnPort(ServingStatus.NOT_SERVING);
        OnPort leader = new OnPort(ServingStatus.SERVING);
        QuotaShareClient client =
            QuotaShareClient.builder(leader.address())
                .adminAddress(standby.address() + "," + leader.address())
                .build()) {
      client.admin().pause("maintenance");

      assertThat(leader.fake.requests(PauseSchedulingRequest.class)).hasSize(1);
      assertThat(standby.fake.requests(PauseSchedulingRequest.class)).isEmpty();
    }
  }

  @Test
  void awaitGoesOnWithTheNextLeader() throws IOException {
    try (OnPort first = new OnPort(ServingStatus.SERVING);
        OnPort second = new OnPort(ServingStatus.NOT_SERVING);
        QuotaShareClient client = QuotaShareClient.connect(first.address(), second.address())) {
      CompletableFuture<JobResult> result = client.jobs().awaitAsync(NAME);
      await().atMost(LONG).until(() -> first.fake.jobs.watchers() == 1);

      first.close();
      // The next leader has fewer events than the one before: it cannot resume from there.
      second.fake.jobs.compactUpTo(1_000);
      second.health.setStatus("", ServingStatus.SERVING);
      await().atMost(LONG).until(() -> second.fake.jobs.watchers() == 1);
      assertThat(result).isNotDone();
      second.fake.jobs.end(NAME, io.quotashare.proto.v1.JobState.JOB_STATE_SUCCEEDED, "");

      assertThat(result.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join().succeeded()).isTrue();
    }
  }

  @Test
  void aChangeDuringALossOfTheConnectionHasItsEffectOnce() throws IOException {
    int port = freePort();
    OnPort first = new OnPort(ServingStatus.SERVING, port);
    try (QuotaShareClient client = QuotaShareClient.connect("127.0.0.1:" + port)) {
      assertThat(client.jobs().get(NAME).id()).isEqualTo("j");
      first.close();
      CompletableFuture<Job> changed =
          client.jobs().updatePriorityAsync(NAME, 7, ChangeOptions.defaults());
      try (OnPort second = new OnPort(ServingStatus.SERVING, port)) {
        assertThat(changed.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join().priority())
            .isEqualTo(7);
        assertThat(second.fake.requests(UpdateJobPriorityRequest.class)).hasSize(1);
      }
    }
  }

  @Test
  void aClientWithoutAnAdminAddressSaysSo() {
    try (QuotaShareClient client = QuotaShareClient.connect("127.0.0.1:1")) {
      assertThatThrownBy(client::admin)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("adminAddress");
    }
  }
}
