package io.quotashare.server.retention;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.engine.EngineClock;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.view.ReadModel;
import jakarta.inject.Singleton;

/** Binds what keeps the state bounded. */
public final class RetentionModule extends AbstractModule {
  @Provides
  @Singleton
  RetentionLimits limits(ServerConfig config) {
    return new RetentionLimits(
        config.millis(ConfigKeys.KEEP_ENDED_JOBS),
        config.get(ConfigKeys.MAX_ENDED_JOBS),
        config.millis(ConfigKeys.USAGE_SAMPLE_INTERVAL),
        config.millis(ConfigKeys.KEEP_USAGE_SAMPLES),
        config.millis(ConfigKeys.KEEP_HOURLY_USAGE),
        config.millis(ConfigKeys.KEEP_DAILY_USAGE));
  }

  @Provides
  @Singleton
  Housekeeper housekeeper(
      StateStore store, ReadModel readModel, EngineClock clock, RetentionLimits limits) {
    return new Housekeeper(store, readModel, clock, limits);
  }
}
