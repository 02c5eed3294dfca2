package io.quotashare.server.agents;

import static java.util.Objects.requireNonNull;

import io.quotashare.server.engine.EngineListener;
import java.util.List;

/**
 * What the engine's thread keeps about nodes beside the scheduler's state.
 *
 * <p>Engine's thread only, but for what its parts say of themselves.
 */
public final class Fleet {
  private final NodeLeases leases;
  private final RecoveryGate gate;
  private final DeviceOwners devices;
  private final CommandDispatcher commands;
  private long registrations;

  public Fleet(
      NodeLeases leases, RecoveryGate gate, DeviceOwners devices, CommandDispatcher commands) {
    this.leases = requireNonNull(leases, "leases is null");
    this.gate = requireNonNull(gate, "gate is null");
    this.devices = requireNonNull(devices, "devices is null");
    this.commands = requireNonNull(commands, "commands is null");
  }

  /** Timers of nodes. */
  public NodeLeases leases() {
    return leases;
  }

  RecoveryGate gate() {
    return gate;
  }

  DeviceOwners devices() {
    return devices;
  }

  CommandDispatcher commands() {
    return commands;
  }

  long nextRegistration() {
    return ++registrations;
  }

  /** Its parts, in the order in which they are to be told. */
  public List<EngineListener> listeners() {
    return List.of(devices, leases, gate, commands);
  }
}
