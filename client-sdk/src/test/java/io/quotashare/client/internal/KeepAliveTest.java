package io.quotashare.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.quotashare.client.fake.FakeJobs;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.v1.GetJobRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** A host that freezes keeps its connections: nobody is told that it is gone. */
class KeepAliveTest {
  private static final String NAME = "queues/q/jobs/j";

  /** The shortest that gRPC takes. */
  private static final Connection.KeepAlive SHORT =
      new Connection.KeepAlive(Duration.ofSeconds(10), Duration.ofMillis(200));

  /** Passes bytes on to a server until it freezes. */
  private static final class Freezer implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
    private final int target;
    private volatile boolean frozen;

    Freezer(int target) throws IOException {
      this.target = target;
      start(this::accept);
    }

    String address() {
      return "127.0.0.1:" + listener.getLocalPort();
    }

    void freeze() {
      frozen = true;
    }

    private static void start(Runnable task) {
      Thread thread = new Thread(task, "freezer");
      thread.setDaemon(true);
      thread.start();
    }

    private void accept() {
      while (!listener.isClosed()) {
        try {
          Socket client = listener.accept();
          Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
          start(() -> pass(client, server));
          start(() -> pass(server, client));
        } catch (IOException closed) {
          return;
        }
      }
    }

    private void pass(Socket from, Socket to) {
      try (InputStream in = from.getInputStream();
          OutputStream out = to.getOutputStream()) {
        byte[] buffer = new byte[4096];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          if (!frozen) {
            out.write(buffer, 0, n);
            out.flush();
          }
        }
      } catch (IOException ended) {
        // One side has closed; the other is closed with it.
      }
    }

    @Override
    public void close() {
      try {
        listener.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Server serve(FakeScheduler fake) throws IOException {
    fake.jobs.put(FakeJobs.job("j", "a", 1));
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(new HealthStatusManager().getHealthService());
    fake.services().forEach(builder::addService);
    return builder.build().start();
  }

  @Test
  void anotherSchedulerIsFoundWhenTheHostOfTheFirstFreezes() throws IOException {
    FakeScheduler frozen = new FakeScheduler();
    FakeScheduler other = new FakeScheduler();
    Server first = serve(frozen);
    Server second = serve(other);
    try (Freezer freezer = new Freezer(first.getPort());
        Connection connection =
            Connection.plaintext(
                List.of(
                    HostPort.parse(freezer.address()),
                    HostPort.parse("127.0.0.1:" + second.getPort())),
                List.of(),
                "test",
                SHORT,
                message -> {})) {
      JobCalls calls = new JobCalls(connection.scheduler());
      await()
          .until(
              () ->
                  calls.get(NAME).join() != null
                      && !frozen.requests(GetJobRequest.class).isEmpty());

      freezer.freeze();

      // Half of the calls go to the frozen one, and time out, until it is found dead.
      await()
          .atMost(Duration.ofSeconds(40))
          .ignoreException(CompletionException.class)
          .until(
              () -> {
                for (int i = 0; i < 4; i++) {
                  calls.get(NAME).join();
                }
                return true;
              });
      assertThat(other.requests(GetJobRequest.class)).hasSizeGreaterThanOrEqualTo(4);
    } finally {
      first.shutdownNow();
      second.shutdownNow();
      frozen.close();
      other.close();
    }
  }
}
