package io.quotashare.server;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.failpoint.Failpoints;
import io.quotashare.server.store.SqlStateStore;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.store.StoreLimits;
import jakarta.inject.Singleton;

/** Binds the durable state. */
final class StoreModule extends AbstractModule {
  @Provides
  @Singleton
  StateStore store(ServerConfig config, Failpoints failpoints) {
    return SqlStateStore.openSqlite(config.get(ConfigKeys.DATA), limits(config), failpoints);
  }

  private static StoreLimits limits(ServerConfig config) {
    return new StoreLimits(
        config.millis(ConfigKeys.KEEP_ANSWERS),
        config.get(ConfigKeys.MAX_ANSWERS),
        config.millis(ConfigKeys.KEEP_AUDIT),
        config.get(ConfigKeys.MAX_AUDIT));
  }
}
