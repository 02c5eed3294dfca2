package io.quotashare.server;

import static java.util.Objects.requireNonNull;

import com.google.inject.Guice;
import com.google.inject.Module;
import com.google.inject.ProvisionException;
import com.google.inject.Stage;
import com.google.inject.util.Modules;
import io.quotashare.server.admin.AdminModule;
import io.quotashare.server.agents.AgentSessions;
import io.quotashare.server.agents.AgentsModule;
import io.quotashare.server.config.ConfigModule;
import io.quotashare.server.config.ListenAddress;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.dryrun.DryRunModule;
import io.quotashare.server.dryrun.DryRuns;
import io.quotashare.server.engine.Clock;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.engine.EngineModule;
import io.quotashare.server.engine.EngineThread;
import io.quotashare.server.engine.FatalEngineException;
import io.quotashare.server.failpoint.FailpointModule;
import io.quotashare.server.grpc.GrpcListener;
import io.quotashare.server.jobs.JobsModule;
import io.quotashare.server.logs.LogRelay;
import io.quotashare.server.logs.LogsModule;
import io.quotashare.server.metrics.HttpListener;
import io.quotashare.server.metrics.MetricsModule;
import io.quotashare.server.queues.QueuesModule;
import io.quotashare.server.retention.RetentionModule;
import io.quotashare.server.shares.SharesModule;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.view.ReadModel;
import io.quotashare.server.watch.WatchHub;
import io.quotashare.server.watch.WatchModule;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A whole scheduler: starts everything in order, and stops it in the opposite one. */
public final class QuotaShareServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(QuotaShareServer.class);
  private static final long MAX_FINISH_MILLIS = 2_000;

  private final Clock clock;
  private final StateStore store;
  private final Engine engine;
  private final ReadModel readModel;
  private final WatchHub watches;
  private final LogRelay logs;
  private final DryRuns dryRuns;
  private final AgentSessions agents;
  private final GrpcListeners grpc;
  private final HttpListener http;
  private final ServerThreads threads;
  private final EngineThread engineThread;
  private final CompletableFuture<FatalEngineException> fatal = new CompletableFuture<>();
  private long recoveryMillis;
  private int recoveredJobs;
  private boolean stopped;

  @Inject
  QuotaShareServer(
      Clock clock,
      StateStore store,
      Engine engine,
      ReadModel readModel,
      WatchHub watches,
      LogRelay logs,
      DryRuns dryRuns,
      AgentSessions agents,
      GrpcListeners grpc,
      HttpListener http,
      ServerThreads threads) {
    this.clock = requireNonNull(clock, "clock is null");
    this.store = requireNonNull(store, "store is null");
    this.engine = requireNonNull(engine, "engine is null");
    this.readModel = requireNonNull(readModel, "readModel is null");
    this.watches = requireNonNull(watches, "watches is null");
    this.logs = requireNonNull(logs, "logs is null");
    this.dryRuns = requireNonNull(dryRuns, "dryRuns is null");
    this.agents = requireNonNull(agents, "agents is null");
    this.grpc = requireNonNull(grpc, "grpc is null");
    this.http = requireNonNull(http, "http is null");
    this.threads = requireNonNull(threads, "threads is null");
    this.engineThread = new EngineThread(engine, this::failed);
  }

  /**
   * Starts a server.
   *
   * @param replacements bindings in the place of the usual ones, for tests
   * @throws io.quotashare.server.grpc.ListenException if an address cannot be had
   * @throws io.quotashare.server.store.StoreException if the state cannot be opened or trusted
   */
  public static QuotaShareServer start(ServerConfig config, Module... replacements) {
    try {
      QuotaShareServer server =
          Guice.createInjector(
                  Stage.DEVELOPMENT, Modules.override(modules(config)).with(replacements))
              .getInstance(QuotaShareServer.class);
      server.start();
      return server;
    } catch (ProvisionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** The features of a scheduler. A test may take them apart and drive the engine itself. */
  public static List<Module> modules(ServerConfig config) {
    return List.of(
        new ConfigModule(config),
        new FailpointModule(),
        new StoreModule(),
        new EngineModule(),
        new AgentsModule(),
        new WatchModule(),
        new LogsModule(),
        new DryRunModule(),
        new JobsModule(),
        new SharesModule(),
        new QueuesModule(),
        new RetentionModule(),
        new AdminModule(),
        new MetricsModule(),
        new ServerModule());
  }

  private void start() {
    try {
      long begun = clock.monotonicNanos();
      engine.start();
      recoveredJobs = readModel.current().jobs().size();
      recoveryMillis = (clock.monotonicNanos() - begun) / 1_000_000;
      engineThread.start();
      grpc.all().forEach(GrpcListener::start);
      http.start();
      threads.everySecond(this::tick);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void tick() {
    long nanos = clock.monotonicNanos();
    watches.tick(nanos);
    logs.tick(nanos);
    dryRuns.tick(nanos);
    grpc.users().serving(engine.storeTrouble() == null);
  }

  private void failed(FatalEngineException why) {
    log.error("the scheduler cannot go on: {}", why.getMessage(), why);
    fatal.complete(why);
  }

  /** Completes when the scheduler cannot go on and is to be closed. */
  public CompletableFuture<FatalEngineException> fatal() {
    return fatal;
  }

  /** Where users are served. */
  public ListenAddress address() {
    return grpc.users().address();
  }

  /** Where agents are served. */
  public ListenAddress agentAddress() {
    return grpc.agents().address();
  }

  /** Where operators are served. */
  public ListenAddress adminAddress() {
    return grpc.operators().address();
  }

  /** Where metrics and health are served over HTTP. */
  public ListenAddress httpAddress() {
    return http.address();
  }

  /** What a person wants to know of a server that is ready, on one line. */
  public String summary() {
    return "listen "
        + address()
        + ", agent-listen "
        + agentAddress()
        + ", admin-listen "
        + adminAddress()
        + ", http-listen "
        + httpAddress()
        + "; epoch "
        + engine.epoch()
        + "; recovered "
        + recoveredJobs
        + " jobs in "
        + recoveryMillis
        + " ms";
  }

  /**
   * Stops: takes no new calls, finishes those that were taken, ends all streams, closes the state.
   * Doing it twice does no harm.
   */
  @Override
  public synchronized void close() {
    if (stopped) {
      return;
    }
    stopped = true;
    grpc.all().forEach(GrpcListener::shutdown);
    watches.close();
    logs.close();
    agents.close();
    engineThread.stop();
    grpc.all().forEach(listener -> listener.terminate(MAX_FINISH_MILLIS));
    http.stop();
    threads.stop();
    store.close();
  }
}
