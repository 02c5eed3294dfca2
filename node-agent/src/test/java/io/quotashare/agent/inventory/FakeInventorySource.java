package io.quotashare.agent.inventory;

import static java.util.Objects.requireNonNull;

import io.quotashare.agent.nvml.RecoveryAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An inventory that a test holds in its hand: changes are told on the thread that makes them. */
public final class FakeInventorySource implements InventorySource {
  private static final long IDLE_BYTES = 16L << 20;

  private final Map<String, Occupancy> occupancies = new HashMap<>();
  private final Map<String, OptionalLong> baselines = new HashMap<>();
  private Inventory current;
  private @Nullable Consumer<Inventory> onChange;
  private boolean closed;

  /** A source with these devices and state OK, or NO_DEVICES if there are none. */
  public FakeInventorySource(List<GpuDevice> devices) {
    NvmlState state = devices.isEmpty() ? NvmlState.NO_DEVICES : NvmlState.OK;
    current = new Inventory(state, "", "fake 570.00", devices);
  }

  /**
   * A source of COUNT healthy H100 with the UUIDs {@code GPU-PREFIX-0}, {@code GPU-PREFIX-1} and so
   * on.
   */
  public static FakeInventorySource h100(String prefix, int count) {
    List<GpuDevice> devices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      devices.add(healthy("GPU-" + prefix + "-" + i, i, "H100"));
    }
    return new FakeInventorySource(devices);
  }

  /** A healthy device. */
  public static GpuDevice healthy(String uuid, int index, String unit) {
    String busId = String.format("00000000:%02X:00.0", index + 1);
    return new GpuDevice(
        uuid, index, unit, "NVIDIA " + unit, 80L << 30, true, "", false, busId, index);
  }

  /** Makes this the inventory, and tells of it if it differs. */
  public synchronized void set(Inventory inventory) {
    Inventory before = current;
    current = requireNonNull(inventory, "inventory is null");
    if (onChange != null && !before.equals(inventory)) {
      onChange.accept(inventory);
    }
  }

  /** Changes the state of the library, and keeps the devices. */
  public synchronized void setState(NvmlState state, String detail) {
    set(new Inventory(state, detail, current.driverVersion(), current.devices()));
  }

  /** Replaces the device with the same UUID, or adds it. */
  public synchronized void setDevice(GpuDevice device) {
    List<GpuDevice> devices = new ArrayList<>(current.devices());
    devices.removeIf(other -> other.uuid().equals(device.uuid()));
    devices.add(device);
    set(new Inventory(NvmlState.OK, current.detail(), current.driverVersion(), devices));
  }

  /** Makes these the processes on the device, each with 1 GiB of memory. */
  public synchronized void setPids(String uuid, Set<Integer> pids) {
    long bytes = IDLE_BYTES + ((long) pids.size() << 30);
    setOccupancy(uuid, new Occupancy.Known(pids, OptionalLong.of(bytes), RecoveryAction.NONE));
  }

  /** Makes this the answer for the device. */
  public synchronized void setOccupancy(String uuid, Occupancy occupancy) {
    occupancies.put(uuid, occupancy);
  }

  /** Makes this the idle baseline of the device. */
  public synchronized void setIdleBaselineBytes(String uuid, OptionalLong bytes) {
    baselines.put(uuid, bytes);
  }

  /** Whether it was closed. */
  public synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public synchronized Inventory current() {
    return current;
  }

  @Override
  public synchronized void start(Consumer<Inventory> onChange) {
    if (this.onChange != null) {
      throw new IllegalStateException("already started");
    }
    this.onChange = requireNonNull(onChange, "onChange is null");
    onChange.accept(current);
  }

  @Override
  public synchronized Occupancy occupancy(String uuid) {
    if (current.device(uuid).isEmpty()) {
      return new Occupancy.Unknown("no device " + uuid);
    }
    return occupancies.getOrDefault(
        uuid, new Occupancy.Known(Set.of(), OptionalLong.of(IDLE_BYTES), RecoveryAction.NONE));
  }

  @Override
  public synchronized OptionalLong idleBaselineBytes(String uuid) {
    OptionalLong known =
        current.device(uuid).isPresent() ? OptionalLong.of(IDLE_BYTES) : OptionalLong.empty();
    return baselines.getOrDefault(uuid, known);
  }

  @Override
  public synchronized void close() {
    closed = true;
  }
}
