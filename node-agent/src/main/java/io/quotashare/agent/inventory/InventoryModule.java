package io.quotashare.agent.inventory;

import static java.util.Objects.requireNonNull;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import io.quotashare.agent.nvml.JnaNvmlLoader;
import io.quotashare.agent.nvml.NvmlLoader;

/**
 * Binds {@link InventorySource} to NVML. Without a binding of {@link KnownProcesses} every process
 * on a device is one from outside.
 */
public final class InventoryModule extends AbstractModule {
  private final InventorySettings settings;

  /** A module for these settings. */
  public InventoryModule(InventorySettings settings) {
    this.settings = requireNonNull(settings, "settings is null");
  }

  @Override
  protected void configure() {
    bind(NvmlLoader.class).toInstance(new JnaNvmlLoader(settings.nvmlLibrary()));
    OptionalBinder.newOptionalBinder(binder(), KnownProcesses.class)
        .setDefault()
        .toInstance(KnownProcesses.NONE);
  }

  @Provides
  @Singleton
  InventorySource source(NvmlLoader loader, KnownProcesses known) {
    return new NvmlInventorySource(settings, loader, known);
  }
}
