package io.quotashare.agent.attempt;

import static java.util.Objects.requireNonNull;

import io.quotashare.agent.inventory.InventorySource;
import io.quotashare.agent.inventory.Occupancy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** Asks the driver, on threads of its own. */
public final class NvmlDeviceGate implements DeviceGate {
  /** What an empty device may use more than it ever did when it was idle. */
  static final long MEMORY_SLACK_BYTES = 64L << 20;

  private final InventorySource inventory;
  private final Executor probers;
  private final Executor agent;

  /**
   * A gate.
   *
   * @param probers where the driver is asked; bounded, may refuse
   * @param agent the agent's thread
   */
  public NvmlDeviceGate(InventorySource inventory, Executor probers, Executor agent) {
    this.inventory = requireNonNull(inventory, "inventory is null");
    this.probers = requireNonNull(probers, "probers is null");
    this.agent = requireNonNull(agent, "agent is null");
  }

  @Override
  public void probe(List<String> deviceUuids, Consumer<Map<String, String>> answer) {
    try {
      probers.execute(
          () -> {
            Map<String, String> busy = look(deviceUuids);
            agent.execute(() -> answer.accept(busy));
          });
    } catch (RejectedExecutionException full) {
      Map<String, String> busy = new TreeMap<>();
      deviceUuids.forEach(
          uuid -> busy.put(uuid, "not looked at: too many devices are being looked at"));
      agent.execute(() -> answer.accept(busy));
    }
  }

  private Map<String, String> look(List<String> deviceUuids) {
    Map<String, String> busy = new TreeMap<>();
    for (String uuid : deviceUuids) {
      busyReason(uuid).ifPresent(reason -> busy.put(uuid, reason));
    }
    return busy;
  }

  private Optional<String> busyReason(String uuid) {
    Occupancy occupancy = inventory.occupancy(uuid);
    if (occupancy instanceof Occupancy.Unknown unknown) {
      return Optional.of("of unknown occupancy: " + unknown.reason());
    }
    Occupancy.Known known = (Occupancy.Known) occupancy;
    if (!known.pids().isEmpty()) {
      return Optional.of("still used by process " + known.pids().stream().sorted().toList());
    }
    if (!known.recoveryAction().allowsUse()) {
      return Optional.of("not usable: " + known.recoveryAction().advice());
    }
    OptionalLong baseline = inventory.idleBaselineBytes(uuid);
    if (known.usedMemoryBytes().isPresent() && baseline.isPresent()) {
      long used = known.usedMemoryBytes().getAsLong();
      if (used > baseline.getAsLong() + MEMORY_SLACK_BYTES) {
        return Optional.of(
            "still holding "
                + (used >> 20)
                + " MiB of memory; when idle it holds "
                + (baseline.getAsLong() >> 20)
                + " MiB");
      }
    }
    return Optional.empty();
  }
}
