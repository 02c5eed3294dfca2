package io.quotashare.core.state;

import static io.quotashare.core.model.Check.checkState;

import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The devices of one capacity unit on one node: who holds them, and how many are claimed before
 * they are free.
 *
 * <p>Claims are numbers, not devices: on a node, plans and holds are served by the devices that
 * leave it first, so that what is free already stays startable for others as long as enough is
 * coming (quota-semantics 1).
 */
public final class NodeSlots {
  private static final class Slot {
    final Device device;
    @Nullable AttemptKey holder;
    boolean leaving;

    Slot(Device device) {
      this.device = device;
    }
  }

  private final Node node;
  private final Map<String, Slot> slots = new LinkedHashMap<>();
  private int free;
  private int held;
  private int leaving;
  private int departing;
  private int outside;
  private int unhealthy;
  private int claimed;
  private int kept;

  NodeSlots(Node node, String unit) {
    this.node = node;
    for (Device device : node.devices()) {
      if (device.unit().equals(unit)) {
        slots.put(device.uuid(), new Slot(device));
      }
    }
    recount();
  }

  /**
   * The same holders on a node that was reported anew; held devices that vanished stay until they
   * are freed.
   */
  NodeSlots(Node node, String unit, NodeSlots before) {
    this(node, unit);
    for (Map.Entry<String, Slot> old : before.slots.entrySet()) {
      if (old.getValue().holder != null) {
        Slot slot =
            slots.computeIfAbsent(old.getKey(), uuid -> new Slot(vanished(old.getValue().device)));
        slot.holder = old.getValue().holder;
        slot.leaving = old.getValue().leaving;
      }
    }
    recount();
  }

  private static Device vanished(Device device) {
    return new Device(
        device.uuid(),
        device.index(),
        device.unit(),
        device.model(),
        device.memoryBytes(),
        false,
        "no longer reported",
        false);
  }

  /** The node as it is now. */
  public Node node() {
    return node;
  }

  /** All devices of the unit, usable or not. */
  public int total() {
    return slots.size();
  }

  /** Startable devices that nobody holds. */
  public int free() {
    return free;
  }

  /** Devices that attempts hold. */
  public int held() {
    return held;
  }

  /** Devices that nobody holds and that a foreign process uses. */
  public int outside() {
    return outside;
  }

  /** Devices that nobody holds and that are not healthy. */
  public int unhealthy() {
    return unhealthy;
  }

  /** Devices that will be startable once those who were told to stop are gone. */
  public int leaving() {
    return leaving;
  }

  /**
   * Devices that leave the pool with those who were told to stop: their node is closed, or they are
   * unhealthy.
   */
  public int departing() {
    return departing;
  }

  /** Startable devices now, left over by plans and holds; 0 where the node takes no work. */
  public int available() {
    return node.takesWork() ? Math.max(0, free - Math.max(0, claimed + kept - leaving)) : 0;
  }

  /**
   * Startable devices now or coming, left over by plans and by what is kept for others; negative
   * where these wait for more than is coming, 0 where the node takes no work.
   *
   * @param open devices that are kept, and not from whoever asks
   */
  public int room(int open) {
    return node.takesWork() ? free + leaving - claimed - (kept - open) : 0;
  }

  /** Part of {@link #room} that is still on its way out. */
  public int coming(int open) {
    return node.takesWork() ? Math.max(0, leaving - claimed - (kept - open)) : 0;
  }

  /**
   * Startable devices that nobody holds, less all that plans and holds will take; negative where
   * these wait for devices to come free.
   */
  public int unclaimed() {
    return free - claimed - kept;
  }

  /** Free devices that are set aside for plans and holds. */
  public int reserved() {
    return Math.min(free, Math.max(0, claimed + kept - leaving));
  }

  /** Devices that plans claim. */
  public int claimed() {
    return claimed;
  }

  void claim(int devices) {
    claimed += devices;
    checkState(claimed >= 0, "claims on %s: %s", node.name(), claimed);
  }

  void keep(int devices) {
    kept += devices;
    checkState(kept >= 0, "kept on %s: %s", node.name(), kept);
  }

  /** The first free devices, in order of their index. */
  public List<String> pick(int count) {
    List<String> picked = new ArrayList<>(count);
    for (Map.Entry<String, Slot> slot : slots.entrySet()) {
      if (picked.size() == count) {
        break;
      }
      if (slot.getValue().holder == null && slot.getValue().device.startable()) {
        picked.add(slot.getKey());
      }
    }
    checkState(
        picked.size() == count,
        "%s has %s free devices (expected: %s)",
        node.name(),
        picked.size(),
        count);
    return picked;
  }

  void hold(List<String> uuids, AttemptKey holder) {
    for (String uuid : uuids) {
      // A restored attempt may hold a device that its node no longer reports: it stays held until
      // it is freed.
      Slot slot = slots.computeIfAbsent(uuid, id -> new Slot(vanished(Device.healthy(id, -1, ""))));
      checkState(
          slot.holder == null,
          "device %s of %s is held by %s and wanted by %s",
          uuid,
          node.name(),
          slot.holder,
          holder);
      slot.holder = holder;
    }
    recount();
  }

  void release(List<String> uuids, AttemptKey holder) {
    for (String uuid : uuids) {
      Slot slot = slots.get(uuid);
      checkState(
          slot != null && holder.equals(slot.holder), "device %s is not held by %s", uuid, holder);
      slot.holder = null;
      slot.leaving = false;
      if (slot.device.healthDetail().equals("no longer reported")) {
        slots.remove(uuid);
      }
    }
    recount();
  }

  void markLeaving(List<String> uuids, boolean value) {
    for (String uuid : uuids) {
      Slot slot = slots.get(uuid);
      checkState(
          slot != null && slot.holder != null, "device %s of %s is not held", uuid, node.name());
      slot.leaving = value;
    }
    recount();
  }

  void addHolders(Collection<AttemptKey> holders) {
    for (Slot slot : slots.values()) {
      if (slot.holder != null) {
        holders.add(slot.holder);
      }
    }
  }

  /** Who holds a device. */
  public Optional<AttemptKey> holder(String uuid) {
    Slot slot = slots.get(uuid);
    return slot == null ? Optional.empty() : Optional.ofNullable(slot.holder);
  }

  /** Devices of these that would be startable if they were freed. */
  public int startable(List<String> uuids) {
    int count = 0;
    for (String uuid : uuids) {
      Slot slot = slots.get(uuid);
      count += slot != null && slot.device.startable() ? 1 : 0;
    }
    return count;
  }

  /** Whether the node has no device of the unit. */
  public boolean isEmpty() {
    return slots.isEmpty();
  }

  private void recount() {
    free = 0;
    held = 0;
    leaving = 0;
    departing = 0;
    outside = 0;
    unhealthy = 0;
    for (Slot slot : slots.values()) {
      boolean startable = slot.device.startable();
      if (slot.holder != null) {
        held++;
        leaving += slot.leaving && startable ? 1 : 0;
        departing += slot.leaving && !(startable && node.countsFree()) ? 1 : 0;
      } else if (startable) {
        free++;
      } else if (slot.device.outside()) {
        outside++;
      } else {
        unhealthy++;
      }
    }
  }
}
