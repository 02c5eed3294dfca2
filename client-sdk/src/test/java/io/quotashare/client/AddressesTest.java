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
import io.quotashare.proto.v1.GetJobRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Over TCP on loopback: addresses, a scheduler that is not there, several of which one leads. */
class AddressesTest {
  private static final String NAME = "queues/q/jobs/j";

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

  @Test
  void aClientWithoutAnAdminAddressSaysSo() {
    try (QuotaShareClient client = QuotaShareClient.connect("127.0.0.1:1")) {
      assertThatThrownBy(client::admin)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("adminAddress");
    }
  }
}
