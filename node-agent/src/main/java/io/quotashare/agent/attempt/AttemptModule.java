package io.quotashare.agent.attempt;

import static java.util.Objects.requireNonNull;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import io.quotashare.agent.inventory.InventorySource;
import io.quotashare.agent.inventory.KnownProcesses;
import io.quotashare.agent.supervise.JobSupervisor;
import io.quotashare.agent.threads.WatchedExecutor;
import io.quotashare.agent.time.AgentClock;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Binds {@link Attempts}, kept in a state folder. */
public final class AttemptModule extends AbstractModule {
  private static final int PROBERS = 2;
  private static final int PROBES_MAX = 64;

  private final Path state;
  private final Path checkpointRoot;
  private final AttemptSettings settings;

  /** A module for this state folder. */
  public AttemptModule(Path state, Path checkpointRoot, AttemptSettings settings) {
    this.state = requireNonNull(state, "state is null");
    this.checkpointRoot = requireNonNull(checkpointRoot, "checkpointRoot is null");
    this.settings = requireNonNull(settings, "settings is null");
  }

  @Override
  protected void configure() {
    OptionalBinder.newOptionalBinder(binder(), KnownProcesses.class)
        .setBinding()
        .to(OwnProcesses.class);
  }

  @Provides
  @Singleton
  RunFolders folders() {
    return new DiskRunFolders(state.resolve("attempts"), checkpointRoot);
  }

  @Provides
  @Singleton
  AttemptJournal journal() {
    // The agent runs in development mode alone, which is what failpoints are for.
    return new FailpointJournal(
        new FileJournal(state.resolve("journal.log")),
        JournalFailpoint.action(System.getProperty(JournalFailpoint.PROPERTY, "")));
  }

  @Provides
  @Singleton
  DeviceGate gate(InventorySource inventory, WatchedExecutor agent) {
    ThreadPoolExecutor probers =
        new ThreadPoolExecutor(
            PROBERS,
            PROBERS,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(PROBES_MAX),
            task -> {
              Thread thread = new Thread(task, "device-gate");
              thread.setDaemon(true);
              return thread;
            });
    return new NvmlDeviceGate(inventory, probers, agent);
  }

  @Provides
  @Singleton
  Attempts attempts(
      JobSupervisor supervisor,
      RunFolders folders,
      AttemptJournal journal,
      DeviceGate devices,
      InventorySource inventory,
      AgentClock clock) {
    return new Attempts(supervisor, folders, journal, devices, inventory, clock, settings);
  }
}
