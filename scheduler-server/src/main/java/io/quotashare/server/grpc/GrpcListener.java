package io.quotashare.server.grpc;

import static java.util.Objects.requireNonNull;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.quotashare.server.config.ConfigKey;
import io.quotashare.server.config.ListenAddress;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** One listener for gRPC, with the limits that keep one peer from hurting others (A8, Z9, Z10). */
public final class GrpcListener {
  private static final int MAX_METADATA_BYTES = 8 * 1024;
  private static final int MAX_CALLS_PER_CONNECTION = 100;
  private static final int MAX_RESETS = 200;
  private static final int RESET_WINDOW_SECONDS = 30;
  private static final int MIN_PING_SECONDS = 20;

  private final ConfigKey<ListenAddress> key;
  private final ListenAddress address;
  private final HealthStatusManager health = new HealthStatusManager();
  private final List<BindableService> services;
  private final Server server;

  /** Who is served. */
  public enum Audience {
    /** Users: small messages, connections that are renewed. */
    USERS(1 << 20, false, 3600),
    /** Node agents: inventories, streams that live as long as the agent. */
    AGENTS(4 << 20, true, 0),
    /** Operators. */
    OPERATORS(1 << 20, false, 0);

    private final int maxMessageBytes;
    private final boolean pingsWithoutCalls;
    private final int maxConnectionSeconds;

    Audience(int maxMessageBytes, boolean pingsWithoutCalls, int maxConnectionSeconds) {
      this.maxMessageBytes = maxMessageBytes;
      this.pingsWithoutCalls = pingsWithoutCalls;
      this.maxConnectionSeconds = maxConnectionSeconds;
    }
  }

  /**
   * @param key key of the address, for messages
   * @param reflection whether the contract can be asked for
   */
  public GrpcListener(
      ConfigKey<ListenAddress> key,
      ListenAddress address,
      Audience audience,
      boolean reflection,
      Executor executor,
      List<BindableService> services) {
    this.key = requireNonNull(key, "key is null");
    this.address = requireNonNull(address, "address is null");
    this.services = List.copyOf(services);
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address.toSocketAddress())
            .executor(executor)
            .maxInboundMessageSize(audience.maxMessageBytes)
            .maxInboundMetadataSize(MAX_METADATA_BYTES)
            .maxConcurrentCallsPerConnection(MAX_CALLS_PER_CONNECTION)
            .maxRstFramesPerWindow(MAX_RESETS, RESET_WINDOW_SECONDS)
            .permitKeepAliveTime(MIN_PING_SECONDS, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(audience.pingsWithoutCalls)
            .handshakeTimeout(10, TimeUnit.SECONDS);
    if (audience.maxConnectionSeconds > 0) {
      builder
          .maxConnectionAge(audience.maxConnectionSeconds, TimeUnit.SECONDS)
          .maxConnectionAgeGrace(1, TimeUnit.MINUTES);
    }
    services.forEach(service -> builder.addService(guarded(service)));
    builder.addService(health.getHealthService());
    if (reflection) {
      builder.addService(ProtoReflectionServiceV1.newInstance());
    }
    this.server = builder.build();
  }

  /**
   * A service whose faults, and bytes that are no message, are answered with a status that says so.
   * Messages are parsed inside the guard: gRPC itself would answer UNKNOWN.
   */
  public static ServerServiceDefinition guarded(BindableService service) {
    return ServerInterceptors.intercept(
        ServerInterceptors.useInputStreamMessages(service.bindService()), new FaultInterceptor());
  }

  /**
   * Begins to listen.
   *
   * @throws ListenException if the address cannot be had
   */
  public void start() {
    try {
      server.start();
    } catch (IOException e) {
      throw new ListenException(key, address, e);
    }
    serving(true);
  }

  /** Where it listens, with the port that was taken. */
  public ListenAddress address() {
    return address.withPort(server.getPort());
  }

  /** Says by grpc.health.v1 whether calls are of use. */
  public void serving(boolean value) {
    ServingStatus status = value ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
    services.forEach(
        service ->
            health.setStatus(service.bindService().getServiceDescriptor().getName(), status));
  }

  /** Takes no new calls; what runs goes on. */
  public void shutdown() {
    health.enterTerminalState();
    server.shutdown();
  }

  /** Waits for what runs, then ends it. */
  public void terminate(long maxMillis) {
    try {
      if (!server.awaitTermination(maxMillis, TimeUnit.MILLISECONDS)) {
        server.shutdownNow();
        server.awaitTermination(maxMillis, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      server.shutdownNow();
    }
  }
}
