package io.quotashare.server.failpoint;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import io.quotashare.server.config.ConfigException;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import jakarta.inject.Singleton;

/** Binds the failpoints: none, but for a process of a test. */
public final class FailpointModule extends AbstractModule {
  @Provides
  @Singleton
  Failpoints failpoints(ServerConfig config) {
    return of(System.getProperty(HaltAtFailpoint.PROPERTY, ""), config.get(ConfigKeys.DEV));
  }

  static Failpoints of(String property, boolean dev) {
    if (property.isEmpty()) {
      return Failpoints.NONE;
    }
    if (!dev) {
      throw new ConfigException(
          "-D" + HaltAtFailpoint.PROPERTY + ": set (expected: only together with --dev)");
    }
    try {
      return HaltAtFailpoint.of(property);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    }
  }
}
