package io.quotashare.agent.session;

import io.quotashare.agent.inventory.GpuDevice;
import io.quotashare.agent.inventory.Inventory;
import io.quotashare.proto.agent.v1.DeviceInfo;
import java.util.List;
import java.util.Map;

/** The inventory as it travels: what the driver says, and what the agent holds in quarantine. */
final class ReportedInventory {
  private ReportedInventory() {}

  static io.quotashare.proto.agent.v1.Inventory of(
      Inventory inventory, Map<String, String> quarantined) {
    Inventory all = withQuarantine(inventory, quarantined);
    return io.quotashare.proto.agent.v1.Inventory.newBuilder()
        .setHash(all.hash())
        .setNvmlState(all.state().name())
        .setNvmlDetail(all.detail())
        .setDriverVersion(all.driverVersion())
        .addAllDevices(all.devices().stream().map(ReportedInventory::device).toList())
        .build();
  }

  private static Inventory withQuarantine(Inventory inventory, Map<String, String> quarantined) {
    List<GpuDevice> devices =
        inventory.devices().stream()
            .map(
                device -> {
                  String reason = quarantined.get(device.uuid());
                  return reason == null || !device.healthy()
                      ? device
                      : unhealthy(device, "QUARANTINED: " + reason);
                })
            .toList();
    return new Inventory(inventory.state(), inventory.detail(), inventory.driverVersion(), devices);
  }

  private static GpuDevice unhealthy(GpuDevice device, String detail) {
    return new GpuDevice(
        device.uuid(),
        device.index(),
        device.unit(),
        device.model(),
        device.memoryBytes(),
        false,
        detail,
        device.outside(),
        device.pciBusId(),
        device.minorNumber());
  }

  private static DeviceInfo device(GpuDevice device) {
    return DeviceInfo.newBuilder()
        .setUuid(device.uuid())
        .setIndex(device.index())
        .setUnit(device.unit())
        .setModel(device.model())
        .setMemoryBytes(device.memoryBytes())
        .setHealthy(device.healthy())
        .setHealthDetail(device.healthDetail())
        .setOutside(device.outside())
        .setPciBusId(device.pciBusId())
        .setMinorNumber(device.minorNumber())
        .build();
  }
}
