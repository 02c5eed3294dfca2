package io.quotashare.server.metrics;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.engine.Engine;
import jakarta.inject.Singleton;

/** Binds metrics and the HTTP listener. */
public final class MetricsModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(PrometheusMeterRegistry.class)
        .toInstance(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
    bind(Metrics.class).in(Singleton.class);
  }

  @Provides
  @Singleton
  EngineMetrics engineMetrics(PrometheusMeterRegistry registry) {
    return new EngineMetrics(registry);
  }

  @Provides
  @Singleton
  HttpListener http(ServerConfig config, Metrics metrics, Engine engine) {
    return new HttpListener(config.get(ConfigKeys.HTTP_LISTEN), metrics, engine);
  }
}
