package io.quotashare.agent.session;

import static java.util.Objects.requireNonNull;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.grpc.netty.NettyChannelBuilder;
import io.quotashare.agent.attempt.Attempts;
import io.quotashare.agent.attempt.RunFolders;
import io.quotashare.agent.inventory.InventorySource;
import io.quotashare.agent.threads.WatchedExecutor;
import io.quotashare.agent.time.AgentClock;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Binds the session to a scheduler that is reached in plaintext. */
public final class SessionModule extends AbstractModule {
  private static final Logger log = LoggerFactory.getLogger(SessionModule.class);

  private final String host;
  private final int port;
  private final Path state;
  private final NodeIdentity identity;
  private final long reconnectMaxMillis;

  /** A module for the scheduler at this address. */
  public SessionModule(
      String host, int port, Path state, NodeIdentity identity, long reconnectMaxMillis) {
    this.reconnectMaxMillis = reconnectMaxMillis;
    this.host = requireNonNull(host, "host is null");
    this.port = port;
    this.state = requireNonNull(state, "state is null");
    this.identity = requireNonNull(identity, "identity is null");
  }

  @Provides
  @Singleton
  SchedulerLink link(WatchedExecutor agent) {
    return new GrpcSchedulerLink(
        NettyChannelBuilder.forAddress(host, port).usePlaintext().build(), agent);
  }

  @Provides
  @Singleton
  OutputPusher output(SchedulerLink link, RunFolders folders, Attempts attempts) {
    WatchedExecutor readers =
        new WatchedExecutor(
            "output", 1, failure -> log.error("a request for output has failed", failure));
    return new FileOutputPusher(link, folders, attempts::isLive, readers);
  }

  @Provides
  @Singleton
  AgentSession session(
      SchedulerLink link,
      Attempts attempts,
      InventorySource inventory,
      OutputPusher output,
      AgentClock clock) {
    return new AgentSession(
        link,
        attempts,
        inventory,
        output,
        new FileEpochFence(state.resolve("epoch")),
        clock,
        identity,
        reconnectMaxMillis,
        RandomGenerator.getDefault());
  }
}
