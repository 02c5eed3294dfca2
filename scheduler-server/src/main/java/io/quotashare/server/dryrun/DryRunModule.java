package io.quotashare.server.dryrun;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.engine.Clock;
import io.quotashare.server.engine.Engine;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.concurrent.Executor;

/** Binds dry runs. */
public final class DryRunModule extends AbstractModule {
  /** Name of the executor on which dry runs go on. */
  public static final String DRY_RUNS = "dryRuns";

  @Provides
  @Singleton
  DryRuns dryRuns(
      ServerConfig config, Engine engine, Clock clock, @Named(DRY_RUNS) Executor executor) {
    return new DryRuns(
        engine,
        clock,
        new DryRunLimits(
            config.get(ConfigKeys.MAX_DRY_RUNS),
            config.get(ConfigKeys.MAX_DRY_RUN_ROWS),
            config.millis(ConfigKeys.DRY_RUN_TIMEOUT)),
        executor);
  }
}
