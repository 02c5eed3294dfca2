package io.quotashare.server.watch;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.shares.LastDay;
import io.quotashare.server.view.ReadModel;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.concurrent.Executor;

/** Binds watches. */
public final class WatchModule extends AbstractModule {
  /** Name of the executor that sends to watchers. */
  public static final String WATCHES = "watches";

  @Provides
  @Singleton
  WatchHub hub(
      ServerConfig config,
      ReadModel readModel,
      LastDay lastDay,
      @Named(WATCHES) Executor executor) {
    WatchLimits limits =
        new WatchLimits(
            config.get(ConfigKeys.KEPT_EVENTS),
            config.get(ConfigKeys.MAX_LAG_EVENTS),
            config.get(ConfigKeys.MAX_WATCHES),
            config.millis(ConfigKeys.BOOKMARK_INTERVAL));
    return new WatchHub(readModel, lastDay, limits, executor);
  }
}
