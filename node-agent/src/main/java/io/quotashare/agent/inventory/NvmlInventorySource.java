package io.quotashare.agent.inventory;

import static java.util.Objects.requireNonNull;

import io.quotashare.agent.nvml.NvmlBusyException;
import io.quotashare.agent.nvml.NvmlLoader;
import io.quotashare.agent.nvml.NvmlStuckException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The devices of this host as NVML tells them. A thread of its own looks at them at an interval;
 * what keeps it from doing so is a state that is published like any other, and is tried again for
 * ever.
 */
public final class NvmlInventorySource implements InventorySource {
  private static final Logger log = LoggerFactory.getLogger(NvmlInventorySource.class);

  private static final Inventory NOT_LOOKED_YET =
      new Inventory(
          NvmlState.NVML_FAILED, "the devices have not been looked at yet", "", List.of());

  private final InventorySettings settings;
  private final NvmlConnection connection;
  private final KnownDevices devices;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Inventory current = NOT_LOOKED_YET;

  /** Written by {@link #start} and read by {@link #close}. */
  private @Nullable Thread sweeper;

  /** Of the sweeping thread alone: the pause after the next look that fails. */
  private Duration retryPause;

  /**
   * A source that looks at nothing before {@link #start}.
   *
   * @param known tells the processes of attempts from others
   * @throws IllegalArgumentException if the units of the settings are malformed
   */
  public NvmlInventorySource(InventorySettings settings, NvmlLoader loader, KnownProcesses known) {
    this(settings, loader, known, new HostEvidence(Path.of("/")));
  }

  NvmlInventorySource(
      InventorySettings settings, NvmlLoader loader, KnownProcesses known, HostEvidence host) {
    this.settings = requireNonNull(settings, "settings is null");
    connection = new NvmlConnection(loader, settings, new UnitTable(settings.units()), host);
    devices = new KnownDevices(new ForeignProcesses(known));
    retryPause = settings.sweepInterval();
  }

  @Override
  public Inventory current() {
    return current;
  }

  @Override
  public synchronized void start(Consumer<Inventory> onChange) {
    requireNonNull(onChange, "onChange is null");
    if (sweeper != null || closed.getCount() == 0) {
      throw new IllegalStateException("already started, or closed");
    }
    Thread thread = new Thread(() -> sweepUntilClosed(onChange), "inventory");
    thread.setDaemon(true);
    thread.start();
    sweeper = thread;
  }

  private void sweepUntilClosed(Consumer<Inventory> onChange) {
    try {
      Duration pause;
      do {
        pause = sweep(onChange);
      } while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      // Only close() interrupts this thread.
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Looks once, and tells of it if anything has changed.
   *
   * @return how long to wait before the next look
   */
  Duration sweep(Consumer<Inventory> onChange) {
    try {
      NvmlConnection.Look look = connection.look();
      if (look instanceof NvmlConnection.Look.Devices found) {
        retryPause = settings.sweepInterval();
        List<String> warnings = devices.apply(found.sweep().readings());
        publish(listed(found.sweep().driverVersion(), warnings), onChange);
        return settings.sweepInterval();
      }
      publish(unusable(((NvmlConnection.Look.None) look).why()), onChange);
      return nextRetryPause();
    } catch (NvmlStuckException e) {
      publish(unusable(Unusable.stuck(String.valueOf(e.getMessage()))), onChange);
    } catch (NvmlBusyException e) {
      log.debug("inventory: a look at the devices was put off: {}", e.getMessage());
    } catch (RuntimeException e) {
      log.error("inventory: a look at the devices failed", e);
      publish(
          unusable(new Unusable(NvmlState.NVML_FAILED, "a fault of the agent itself: " + e)),
          onChange);
    }
    return settings.sweepInterval();
  }

  private Duration nextRetryPause() {
    Duration pause = retryPause;
    Duration doubled = pause.multipliedBy(2);
    retryPause = doubled.compareTo(settings.retryMax()) < 0 ? doubled : settings.retryMax();
    return pause;
  }

  private Inventory listed(String driverVersion, List<String> warnings) {
    List<GpuDevice> now = devices.devices();
    // GPUs may be listed by index and none be readable: then there is nothing to call OK.
    NvmlState state = now.isEmpty() ? NvmlState.NO_DEVICES : NvmlState.OK;
    return new Inventory(state, String.join("; ", warnings), driverVersion, now);
  }

  private Inventory unusable(Unusable why) {
    return new Inventory(
        why.state(), why.detail(), current.driverVersion(), devices.devicesWhile(why.state()));
  }

  private void publish(Inventory inventory, Consumer<Inventory> onChange) {
    Inventory before = current;
    if (inventory.equals(before)) {
      return;
    }
    current = inventory;
    if (inventory.state() != before.state()) {
      log.info(
          "inventory: {} with {} device(s) {}",
          inventory.state(),
          inventory.devices().size(),
          inventory.detail());
    }
    try {
      onChange.accept(inventory);
    } catch (RuntimeException e) {
      log.error("inventory: a listener failed", e);
    }
  }

  @Override
  public Occupancy occupancy(String uuid) {
    return devices
        .gpuOf(uuid)
        .map(gpu -> connection.occupancy(uuid, gpu))
        .orElseGet(() -> new Occupancy.Unknown("no device " + uuid + " is known here"));
  }

  @Override
  public OptionalLong idleBaselineBytes(String uuid) {
    return devices.idleBaselineBytes(uuid);
  }

  @Override
  public synchronized void close() {
    closed.countDown();
    if (sweeper != null) {
      sweeper.interrupt();
    }
    connection.close();
  }
}
