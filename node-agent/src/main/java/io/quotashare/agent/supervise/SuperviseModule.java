package io.quotashare.agent.supervise;

import static java.util.Objects.requireNonNull;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.quotashare.agent.time.AgentClock;

/** Binds {@link JobSupervisor} to the shim. */
public final class SuperviseModule extends AbstractModule {
  private final ShimSettings settings;

  /** A module for these settings. */
  public SuperviseModule(ShimSettings settings) {
    this.settings = requireNonNull(settings, "settings is null");
  }

  @Provides
  @Singleton
  JobSupervisor supervisor(AgentClock clock) {
    return new ShimSupervisor(settings, clock, HostBoot.id());
  }
}
