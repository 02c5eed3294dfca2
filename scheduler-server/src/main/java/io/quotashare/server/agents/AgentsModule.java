package io.quotashare.server.agents;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.engine.EngineClock;
import io.quotashare.server.engine.EngineQueue;
import io.quotashare.server.failpoint.Failpoints;
import io.quotashare.server.logs.LogAgents;
import io.quotashare.server.view.ReadModel;
import jakarta.inject.Singleton;

/** Binds what deals with agents. */
public final class AgentsModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(AgentSessions.class).in(Singleton.class);
    bind(DeviceOwners.class).in(Singleton.class);
    bind(AgentEndpoint.class).in(Singleton.class);
    bind(SessionIds.class).toInstance(SessionIds.random());
  }

  @Provides
  @Singleton
  AgentSettings settings(ServerConfig config) {
    return new AgentSettings(
        config.millis(ConfigKeys.HEARTBEAT_INTERVAL),
        config.millis(ConfigKeys.RESEND_AFTER),
        config.millis(ConfigKeys.RECOVERY_GRACE),
        config.get(ConfigKeys.MAX_OUTBOUND),
        config.get(ConfigKeys.MAX_AGENT_REPORTS),
        new AgentSettings.Ports(
            config.get(ConfigKeys.MASTER_PORTS).first(),
            config.get(ConfigKeys.MASTER_PORTS).last()));
  }

  @Provides
  @Singleton
  LeasePolicy leasePolicy(ServerConfig config) {
    return new LeasePolicy(
        config.millis(ConfigKeys.SUSPECT_AFTER),
        config.millis(ConfigKeys.LOST_AFTER),
        config.get(ConfigKeys.CLOCK_DRIFT_PERCENT),
        config.millis(ConfigKeys.FENCE_MARGIN));
  }

  @Provides
  @Singleton
  NodeLeases leases(LeasePolicy policy, EngineQueue queue) {
    return new NodeLeases(policy, queue);
  }

  @Provides
  @Singleton
  RecoveryGate gate(AgentSettings settings) {
    return new RecoveryGate(settings.recoveryMillis());
  }

  @Provides
  @Singleton
  CommandDispatcher commands(
      AgentSessions sessions,
      ReadModel readModel,
      EngineClock clock,
      EngineQueue queue,
      AgentSettings settings,
      LeasePolicy leases,
      Failpoints failpoints) {
    return new CommandDispatcher(sessions, readModel, clock, queue, settings, leases, failpoints);
  }

  @Provides
  @Singleton
  Fleet fleet(
      NodeLeases leases, RecoveryGate gate, DeviceOwners devices, CommandDispatcher commands) {
    return new Fleet(leases, gate, devices, commands);
  }

  @Provides
  @Singleton
  LogAgents logAgents(AgentSessions sessions) {
    return new SessionLogAgents(sessions);
  }
}
