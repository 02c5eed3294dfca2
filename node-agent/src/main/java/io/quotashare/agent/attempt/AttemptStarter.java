package io.quotashare.agent.attempt;

import io.quotashare.agent.inventory.GpuDevice;
import io.quotashare.agent.inventory.Inventory;
import io.quotashare.agent.inventory.InventorySource;
import io.quotashare.agent.inventory.NvmlState;
import io.quotashare.agent.supervise.JobSupervisor;
import io.quotashare.agent.supervise.LaunchSpec;
import io.quotashare.agent.time.AgentClock;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.StartAttempt;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start protocol (node-agent 4.2): check the command, write down the intent, prove the devices
 * empty, launch. Used by the agent's thread alone.
 */
final class AttemptStarter {
  private static final Logger log = LoggerFactory.getLogger(AttemptStarter.class);

  private final JobSupervisor supervisor;
  private final RunFolders folders;
  private final AttemptRegistry registry;
  private final DeviceGate devices;
  private final InventorySource inventory;
  private final Quarantine quarantine;
  private final AttemptSettings settings;
  private final AgentClock clock;

  AttemptStarter(
      JobSupervisor supervisor,
      RunFolders folders,
      AttemptRegistry registry,
      DeviceGate devices,
      InventorySource inventory,
      Quarantine quarantine,
      AttemptSettings settings,
      AgentClock clock) {
    this.supervisor = supervisor;
    this.folders = folders;
    this.registry = registry;
    this.devices = devices;
    this.inventory = inventory;
    this.quarantine = quarantine;
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * Takes up a start command: the attempt is on record when this returns, and nothing of it runs
   * yet.
   *
   * @throws StartRefusedException if it cannot be obeyed; nothing is left of it
   */
  Attempt begin(AttemptName name, StartAttempt command, long epoch) throws StartRefusedException {
    AttemptSpec checked = StartCommands.check(name, command);
    Inventory now = inventory.current();
    AttemptSpec spec = inPciOrder(checked, now);
    checkDevices(spec, now);
    try {
      registry.append(new AttemptJournal.StartIntent(spec, epoch));
      folders.create(spec);
    } catch (UncheckedIOException e) {
      throw new StartRefusedException("node " + settings.node() + ": " + e.getMessage());
    }
    Attempt attempt = new Attempt(spec, registry.firstVersion(), clock.bootMillis());
    registry.enter(attempt, epoch);
    return attempt;
  }

  private static AttemptSpec inPciOrder(AttemptSpec spec, Inventory inventory) {
    return new AttemptSpec(
        spec.name(),
        spec.share(),
        JobEnvironment.inPciOrder(spec.deviceUuids(), inventory),
        spec.rank(),
        spec.nodes(),
        spec.command(),
        spec.graceMillis(),
        spec.lostAfterMillis(),
        spec.onDemandCheckpoint(),
        spec.jobSequence());
  }

  private void checkDevices(AttemptSpec spec, Inventory now) throws StartRefusedException {
    Map<String, String> unusable = new TreeMap<>();
    for (String uuid : spec.deviceUuids()) {
      holder(uuid)
          .map(holder -> "held by " + holder)
          .or(
              () ->
                  Optional.ofNullable(quarantine.reasons().get(uuid)).map(r -> "quarantined: " + r))
          .or(() -> unusable(uuid, now))
          .ifPresent(reason -> unusable.put(uuid, reason));
    }
    if (!unusable.isEmpty()) {
      throw new StartRefusedException(
          "node " + settings.node() + ": " + FailureText.devices(unusable), unusable);
    }
  }

  private Optional<AttemptName> holder(String uuid) {
    return registry.live().stream()
        .filter(attempt -> attempt.spec().deviceUuids().contains(uuid))
        .map(Attempt::name)
        .findFirst();
  }

  private static Optional<String> unusable(String uuid, Inventory now) {
    if (now.startable(uuid)) {
      return Optional.empty();
    }
    if (now.state() != NvmlState.OK) {
      return Optional.of("not usable: " + now.state() + " " + now.detail());
    }
    Optional<GpuDevice> device = now.device(uuid);
    if (device.isEmpty()) {
      return Optional.of("not a device of this node");
    }
    return Optional.of(
        device.get().healthy() ? "used from outside the scheduler" : device.get().healthDetail());
  }

  /**
   * Proves the devices empty and then launches, or explains why not. Goes on later, on the agent's
   * thread.
   *
   * @param leaseBootMillis asked for when it is launched
   */
  void launchWhenFree(
      Attempt attempt, StartAttempt command, Supplier<OptionalLong> leaseBootMillis) {
    List<String> uuids = attempt.spec().deviceUuids();
    if (uuids.isEmpty()) {
      launch(attempt, command, Map.of(), leaseBootMillis.get());
      return;
    }
    devices.probe(uuids, busy -> launch(attempt, command, busy, leaseBootMillis.get()));
  }

  private void launch(
      Attempt attempt, StartAttempt command, Map<String, String> busy, OptionalLong lease) {
    if (attempt.phase() != AttemptPhase.ATTEMPT_PHASE_STARTING) {
      return;
    }
    try {
      Map<String, String> unusable = new TreeMap<>(busy);
      unusable.putAll(ReleaseGate.locked(supervisor, attempt.spec().deviceUuids()));
      if (attempt.stop().isPresent()) {
        fail(attempt, "it was stopped before it was started");
      } else if (!unusable.isEmpty()) {
        // Nothing else may start on them before they are proven empty.
        quarantine.add(unusable);
        attempt.devicesRefused(unusable.keySet());
        fail(attempt, "node " + settings.node() + ": " + FailureText.devices(unusable));
      } else {
        LaunchSpec launch = launchSpec(attempt, command, lease);
        attempt.launch = Optional.of(launch);
        attempt.launched = true;
        supervisor.launch(launch);
        log.info("{}: starting on {}", attempt.name(), attempt.spec().deviceUuids());
      }
    } catch (UncheckedIOException e) {
      fail(attempt, "node " + settings.node() + ": " + e.getMessage());
    }
  }

  private void fail(Attempt attempt, String why) {
    attempt.explain(why);
    attempt.apply(AttemptTransitions.Event.LAUNCH_FAILED);
    log.warn("{}: could not be started: {}", attempt.name(), why);
  }

  private LaunchSpec launchSpec(Attempt attempt, StartAttempt command, OptionalLong lease) {
    AttemptSpec spec = attempt.spec();
    Path runDir = folders.of(spec.name());
    Path workDir =
        command.getWorkingDirectory().isEmpty()
            ? folders.workDir(spec.name())
            : Path.of(command.getWorkingDirectory());
    Map<String, String> environment =
        JobEnvironment.of(
            spec,
            command,
            settings.user(),
            inventory.current(),
            runDir,
            folders.checkpointDir(spec.name()));
    return new LaunchSpec(
        runDir,
        spec.command(),
        environment,
        workDir,
        spec.deviceUuids(),
        spec.termGraceMillis(),
        lease);
  }
}
