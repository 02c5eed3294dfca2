package io.quotashare.agent.daemon;

import com.google.inject.Module;
import io.quotashare.agent.attempt.AttemptModule;
import io.quotashare.agent.attempt.AttemptSettings;
import io.quotashare.agent.attempt.JobUser;
import io.quotashare.agent.config.AgentConfig;
import io.quotashare.agent.config.Surroundings;
import io.quotashare.agent.inventory.InventoryModule;
import io.quotashare.agent.inventory.InventorySettings;
import io.quotashare.agent.session.NodeIdentity;
import io.quotashare.agent.session.SessionModule;
import io.quotashare.agent.supervise.HostBoot;
import io.quotashare.agent.supervise.ShimSettings;
import io.quotashare.agent.supervise.SuperviseModule;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The parts of an agent, made of its configuration. */
public final class AgentModules {
  private static final String LANG = "C.UTF-8";

  private AgentModules() {}

  /**
   * All modules.
   *
   * @param state the state folder, which this process has taken
   * @param onFailure told when the agent's thread has failed
   */
  public static List<Module> of(
      AgentConfig config, Surroundings surroundings, Path state, Consumer<Throwable> onFailure) {
    return List.of(
        new DaemonModule(new Agent.PollInterval(config.pollInterval().toMillis()), onFailure),
        new InventoryModule(inventory(config)),
        new SuperviseModule(shim(config)),
        new AttemptModule(state, config.checkpointRoot(), attempts(config, surroundings)),
        new SessionModule(
            config.schedulerHost(),
            config.schedulerPort(),
            state,
            identity(config),
            config.reconnectMax().toMillis()));
  }

  private static InventorySettings inventory(AgentConfig config) {
    return new InventorySettings(
        config.nvmlLibrary(),
        config.sweepInterval(),
        config.nvmlDeadline(),
        config.nvmlInitDeadline(),
        config.nvmlRetryMax(),
        config.units());
  }

  private static ShimSettings shim(AgentConfig config) {
    return new ShimSettings(
        config.shim(),
        config.lockDir(),
        config.logFileBytes(),
        config.logFiles(),
        config.cgroupRoot());
  }

  private static AttemptSettings attempts(AgentConfig config, Surroundings surroundings) {
    return new AttemptSettings(
        config.node(),
        new JobUser(surroundings.user(), surroundings.home().toString(), config.jobPath(), LANG),
        config.startTimeout().toMillis(),
        config.releaseTimeout().toMillis(),
        config.keepAttempts(),
        config.keepFor().toMillis(),
        config.keepOutputBytes());
  }

  private static NodeIdentity identity(AgentConfig config) {
    String version =
        Optional.ofNullable(AgentModules.class.getPackage().getImplementationVersion())
            .orElse("development");
    return new NodeIdentity(
        config.node(), version, HostBoot.id(), config.labels(), config.advertiseAddress());
  }
}
