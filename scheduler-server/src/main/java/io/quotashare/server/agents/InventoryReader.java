package io.quotashare.server.agents;

import io.quotashare.core.model.Device;
import io.quotashare.proto.agent.v1.DeviceInfo;
import io.quotashare.proto.agent.v1.Inventory;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the devices of a node. */
final class InventoryReader {
  static final int MAX_DEVICES = 10_000;
  private static final int MAX_TEXT_LENGTH = 512;

  private InventoryReader() {}

  /** Devices in order of their index. Records in {@code checks} what is wrong. */
  static List<Device> devices(Inventory inventory, FieldChecks checks) {
    if (!checks.check(
        inventory.getDevicesCount() <= MAX_DEVICES,
        "devices",
        inventory.getDevicesCount() + " entries",
        "at most " + MAX_DEVICES)) {
      return List.of();
    }
    text(inventory.getHash(), 0, "hash", checks);
    text(inventory.getNvmlState(), 0, "nvml_state", checks);
    text(inventory.getDriverVersion(), 0, "driver_version", checks);
    Set<String> seen = new HashSet<>();
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < inventory.getDevicesCount(); i++) {
      DeviceInfo info = inventory.getDevices(i);
      FieldChecks here = checks.in("devices[" + i + "]");
      boolean good = text(info.getUuid(), 1, "uuid", here);
      good &= here.check(Names.isUnit(info.getUnit()), "unit", info.getUnit(), Names.UNIT_RULE);
      good &= text(info.getModel(), 0, "model", here);
      if (good
          && here.check(seen.add(info.getUuid()), "uuid", info.getUuid(), "every device once")) {
        devices.add(device(info));
      }
    }
    devices.sort(Comparator.comparingInt(Device::index).thenComparing(Device::uuid));
    return devices;
  }

  private static Device device(DeviceInfo info) {
    String health = info.getHealthDetail();
    return new Device(
        info.getUuid(),
        info.getIndex(),
        info.getUnit(),
        info.getModel(),
        Math.max(0, info.getMemoryBytes()),
        info.getHealthy(),
        health.length() <= MAX_TEXT_LENGTH ? health : health.substring(0, MAX_TEXT_LENGTH),
        info.getOutside());
  }

  private static boolean text(String value, int min, String field, FieldChecks checks) {
    return checks.check(
        value.length() >= min
            && value.length() <= MAX_TEXT_LENGTH
            && value.codePoints().noneMatch(Character::isISOControl),
        field,
        value,
        "one line of " + min + " to " + MAX_TEXT_LENGTH + " characters");
  }
}
