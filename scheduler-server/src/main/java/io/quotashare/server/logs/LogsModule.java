package io.quotashare.server.logs;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.engine.Clock;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.view.ReadModel;
import jakarta.inject.Singleton;
import java.util.UUID;

/** Binds the way of output from agents to users. */
public final class LogsModule extends AbstractModule {
  @Provides
  @Singleton
  LogRelay relay(
      ServerConfig config, ReadModel readModel, StateStore store, LogAgents agents, Clock clock) {
    LogLimits limits =
        new LogLimits(
            config.get(ConfigKeys.MAX_LOG_STREAMS), config.millis(ConfigKeys.LOG_OPEN_TIMEOUT));
    return new LogRelay(
        readModel, store, agents, limits, clock, () -> UUID.randomUUID().toString());
  }
}
