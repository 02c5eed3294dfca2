package io.quotashare.server;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Provides;
import com.google.inject.util.Modules;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.quotashare.proto.admin.v1.AdminServiceGrpc;
import io.quotashare.proto.agent.v1.AgentServiceGrpc;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.QueueServiceGrpc;
import io.quotashare.proto.v1.QuotaShareServiceGrpc;
import io.quotashare.server.admin.AdminEndpoint;
import io.quotashare.server.agents.AgentEndpoint;
import io.quotashare.server.config.ConfigKey;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.dryrun.DryRunModule;
import io.quotashare.server.engine.Clock;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.engine.EngineModule;
import io.quotashare.server.engine.Step;
import io.quotashare.server.failpoint.Failpoints;
import io.quotashare.server.grpc.GrpcListener;
import io.quotashare.server.jobs.JobEndpoint;
import io.quotashare.server.logs.LogRelay;
import io.quotashare.server.queues.QueueEndpoint;
import io.quotashare.server.shares.QuotaShareEndpoint;
import io.quotashare.server.store.MemoryStateStore;
import io.quotashare.server.store.SqlStateStore;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.store.StoreLimits;
import io.quotashare.server.store.StoreStatistics;
import io.quotashare.server.view.ReadModel;
import io.quotashare.server.watch.WatchHub;
import io.quotashare.server.watch.WatchModule;
import jakarta.inject.Named;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * A whole scheduler in one thread: the test steps its engine and moves its clock. Everything else
 * is as in the program, but for the store, which is in memory, and the network, which is in the
 * process.
 */
public final class TestServer implements AutoCloseable {
  private final ServerConfig.Builder config;
  private final FakeClock clock;
  private final StateStore store;
  private final Failpoints failpoints;
  private final Injector injector;
  private final Engine engine;
  private final Server server;
  private final ManagedChannel channel;

  private TestServer(
      ServerConfig.Builder config, FakeClock clock, StateStore store, Failpoints failpoints) {
    this.config = config;
    this.clock = clock;
    this.store = store;
    this.failpoints = failpoints;
    this.injector =
        Guice.createInjector(
            Modules.override(QuotaShareServer.modules(config.build())).with(new TestModule()));
    this.engine = injector.getInstance(Engine.class);
    engine.start();
    String name = InProcessServerBuilder.generateName();
    try {
      this.server =
          InProcessServerBuilder.forName(name)
              .directExecutor()
              .addService(GrpcListener.guarded(injector.getInstance(JobEndpoint.class)))
              .addService(GrpcListener.guarded(injector.getInstance(QuotaShareEndpoint.class)))
              .addService(GrpcListener.guarded(injector.getInstance(QueueEndpoint.class)))
              .addService(GrpcListener.guarded(injector.getInstance(AgentEndpoint.class)))
              .addService(GrpcListener.guarded(injector.getInstance(AdminEndpoint.class)))
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.channel = InProcessChannelBuilder.forName(name).directExecutor().build();
    settle();
  }

  /** A new scheduler with an empty store. */
  public static TestServer create() {
    return create(ServerConfig.builder());
  }

  /** A new scheduler with an empty store and some settings of its own. */
  public static TestServer create(ServerConfig.Builder config) {
    return new TestServer(
        config.set(ConfigKeys.DEV, true),
        new FakeClock(),
        new MemoryStateStore(StoreLimits.DEFAULT),
        Failpoints.NONE);
  }

  /** A scheduler on a database in a folder, and with failpoints. */
  public static TestServer onSqlite(Path folder, FakeClock clock, Failpoints failpoints) {
    return onSqlite(folder, clock, failpoints, ServerConfig.builder());
  }

  /** A scheduler on a database in a folder, with settings of its own. */
  public static TestServer onSqlite(
      Path folder, FakeClock clock, Failpoints failpoints, ServerConfig.Builder config) {
    ServerConfig built = config.set(ConfigKeys.DEV, true).build();
    StoreLimits limits =
        new StoreLimits(
            built.millis(ConfigKeys.KEEP_ANSWERS),
            built.get(ConfigKeys.MAX_ANSWERS),
            built.millis(ConfigKeys.KEEP_AUDIT),
            built.get(ConfigKeys.MAX_AUDIT));
    return new TestServer(
        config, clock, SqlStateStore.openSqlite(folder, limits, failpoints), failpoints);
  }

  /** What the store holds. */
  public StoreStatistics statistics() {
    return store.statistics();
  }

  /** A new scheduler with one setting of its own. */
  public static <T> TestServer with(ConfigKey<T> key, T value) {
    return create(ServerConfig.builder().set(key, value));
  }

  /** The next scheduler on the same store, after this one has gone without a farewell. */
  public TestServer restart() {
    channel.shutdownNow();
    server.shutdownNow();
    return new TestServer(config, clock, store().reopen(), failpoints);
  }

  private final class TestModule extends AbstractModule {
    @Override
    protected void configure() {
      bind(Clock.class).toInstance(clock);
      bind(StateStore.class).toInstance(store);
      bind(Failpoints.class).toInstance(failpoints);
    }

    @Provides
    @Named(EngineModule.ANSWERS)
    Executor answers() {
      return Runnable::run;
    }

    @Provides
    @Named(WatchModule.WATCHES)
    Executor watches() {
      return Runnable::run;
    }

    @Provides
    @Named(DryRunModule.DRY_RUNS)
    Executor dryRuns() {
      return Runnable::run;
    }
  }

  /** Lets the engine do what there is to do. */
  public void settle() {
    for (int i = 0; engine.step(); i++) {
      if (i > 10_000) {
        throw new AssertionError("the engine does not come to rest");
      }
    }
  }

  /** Lets time pass in small steps, and the engine do what is due. */
  public void advance(long millis) {
    long left = millis;
    while (left > 0) {
      long now = Math.min(left, 100);
      clock.advance(now);
      left -= now;
      settle();
    }
  }

  /** The answer to a call, after the engine has done what there is to do. */
  public <T> T answer(ListenableFuture<T> call) {
    settle();
    try {
      return call.get(5, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StatusRuntimeException status) {
        throw status;
      }
      throw new AssertionError(e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("no answer", e);
    }
  }

  /** What the engine's thread reads from the state. */
  public <T> T answerOf(Function<Step, T> question) {
    CompletableFuture<T> answer = engine.call(step -> decided -> question.apply(decided));
    settle();
    return answer.join();
  }

  /** The error of a call that must fail. */
  public StatusRuntimeException error(ListenableFuture<?> call) {
    try {
      Object answer = answer(call);
      throw new AssertionError("answered: " + answer);
    } catch (StatusRuntimeException e) {
      return e;
    }
  }

  public FakeClock clock() {
    return clock;
  }

  /** The store in memory; not for a scheduler on a database. */
  public MemoryStateStore store() {
    return (MemoryStateStore) store;
  }

  public Engine engine() {
    return engine;
  }

  public ReadModel readModel() {
    return injector.getInstance(ReadModel.class);
  }

  public WatchHub watches() {
    return injector.getInstance(WatchHub.class);
  }

  public LogRelay logs() {
    return injector.getInstance(LogRelay.class);
  }

  public <T> T instance(Class<T> type) {
    return injector.getInstance(type);
  }

  public ManagedChannel channel() {
    return channel;
  }

  public JobServiceGrpc.JobServiceFutureStub jobs() {
    return JobServiceGrpc.newFutureStub(channel);
  }

  public QuotaShareServiceGrpc.QuotaShareServiceFutureStub shares() {
    return QuotaShareServiceGrpc.newFutureStub(channel);
  }

  public QueueServiceGrpc.QueueServiceFutureStub queues() {
    return QueueServiceGrpc.newFutureStub(channel);
  }

  public AgentServiceGrpc.AgentServiceFutureStub agents() {
    return AgentServiceGrpc.newFutureStub(channel);
  }

  public AdminServiceGrpc.AdminServiceFutureStub admin() {
    return AdminServiceGrpc.newFutureStub(channel);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
    store.close();
  }
}
