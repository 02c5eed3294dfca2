package io.quotashare.server;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import io.quotashare.server.admin.AdminEndpoint;
import io.quotashare.server.agents.AgentEndpoint;
import io.quotashare.server.agents.Fleet;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.dryrun.DryRunModule;
import io.quotashare.server.engine.EngineListener;
import io.quotashare.server.engine.EngineModule;
import io.quotashare.server.grpc.GrpcListener;
import io.quotashare.server.grpc.GrpcListener.Audience;
import io.quotashare.server.jobs.JobEndpoint;
import io.quotashare.server.metrics.EngineMetrics;
import io.quotashare.server.queues.QueueEndpoint;
import io.quotashare.server.queues.QueuesModule;
import io.quotashare.server.retention.Housekeeper;
import io.quotashare.server.shares.QuotaShareEndpoint;
import io.quotashare.server.view.ReadModel;
import io.quotashare.server.watch.WatchHub;
import io.quotashare.server.watch.WatchModule;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** Binds what holds the features together: threads, the engine's listeners, the gRPC listeners. */
final class ServerModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(ServerThreads.class).in(Singleton.class);
    bind(QuotaShareServer.class).in(Singleton.class);
  }

  @Provides
  @Singleton
  ReadModel readModel(ServerConfig config) {
    return new ReadModel(
        "ended jobs are kept for "
            + config.text(ConfigKeys.KEEP_ENDED_JOBS)
            + ", the newest "
            + config.get(ConfigKeys.MAX_ENDED_JOBS)
            + " of them");
  }

  @Provides
  @Named(EngineModule.ANSWERS)
  Executor answers(ServerThreads threads) {
    return threads.answers();
  }

  @Provides
  @Named(QueuesModule.READS)
  Executor reads(ServerThreads threads) {
    return threads.calls();
  }

  @Provides
  @Named(DryRunModule.DRY_RUNS)
  Executor dryRuns(ServerThreads threads) {
    return threads.dryRuns();
  }

  @Provides
  @Named(WatchModule.WATCHES)
  Executor watches(ServerThreads threads) {
    return threads.watches();
  }

  /**
   * The read model comes first: all others may read the newest state from it. The housekeeper
   * samples the usage ledger before anybody puts something into a step.
   */
  @Provides
  @Singleton
  List<EngineListener> listeners(
      ReadModel readModel,
      WatchHub watches,
      Housekeeper housekeeper,
      Fleet fleet,
      EngineMetrics metrics) {
    List<EngineListener> all = new ArrayList<>(List.of(readModel, watches, housekeeper));
    all.addAll(fleet.listeners());
    all.add(metrics);
    return all;
  }

  @Provides
  @Singleton
  GrpcListeners grpcListeners(
      ServerConfig config,
      ServerThreads threads,
      JobEndpoint jobs,
      QuotaShareEndpoint shares,
      QueueEndpoint queues,
      AgentEndpoint agents,
      AdminEndpoint admin) {
    Executor executor = threads.calls();
    return new GrpcListeners(
        new GrpcListener(
            ConfigKeys.LISTEN,
            config.get(ConfigKeys.LISTEN),
            Audience.USERS,
            config.get(ConfigKeys.DEV),
            executor,
            List.of(jobs, shares, queues)),
        new GrpcListener(
            ConfigKeys.AGENT_LISTEN,
            config.get(ConfigKeys.AGENT_LISTEN),
            Audience.AGENTS,
            false,
            executor,
            List.of(agents)),
        new GrpcListener(
            ConfigKeys.ADMIN_LISTEN,
            config.get(ConfigKeys.ADMIN_LISTEN),
            Audience.OPERATORS,
            true,
            executor,
            List.of(admin)));
  }
}
