package io.quotashare.server.engine;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.failpoint.Failpoints;
import io.quotashare.server.store.StateStore;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.Executor;

/** Binds the engine. Its listeners are bound as a list, in the order in which they are told. */
public final class EngineModule extends AbstractModule {
  /** Name of the executor that completes the futures of callers. */
  public static final String ANSWERS = "answers";

  @Override
  protected void configure() {
    bind(Clock.class).to(SystemClock.class).in(Singleton.class);
  }

  @Provides
  @Singleton
  Leadership leadership(StateStore store) {
    return Leadership.take(store);
  }

  @Provides
  @Singleton
  EngineClock clock(Clock clock, Leadership leadership) {
    return new EngineClock(clock, leadership.found().atMillis());
  }

  @Provides
  @Singleton
  EngineQueue queue(ServerConfig config) {
    return new EngineQueue(
        new EngineLimits(
            config.get(ConfigKeys.MAX_QUEUED_CALLS),
            config.get(ConfigKeys.MAX_QUEUED_REPORTS),
            config.get(ConfigKeys.MAX_BATCH)));
  }

  @Provides
  @Singleton
  Engine engine(
      StateStore store,
      Leadership leadership,
      EngineClock clock,
      EngineQueue queue,
      List<EngineListener> listeners,
      @Named(ANSWERS) Executor answers,
      Failpoints failpoints) {
    return new Engine(store, leadership, clock, queue, listeners, answers, failpoints);
  }
}
