package io.quotashare.server.config;

import static java.util.Objects.requireNonNull;

import com.google.inject.AbstractModule;

/** Binds the configuration. */
public final class ConfigModule extends AbstractModule {
  private final ServerConfig config;

  public ConfigModule(ServerConfig config) {
    this.config = requireNonNull(config, "config is null");
  }

  @Override
  protected void configure() {
    bind(ServerConfig.class).toInstance(config);
  }
}
