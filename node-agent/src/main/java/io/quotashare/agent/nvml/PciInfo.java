package io.quotashare.agent.nvml;

import static java.util.Objects.requireNonNull;

/**
 * Where a GPU sits, and what it is.
 *
 * @param busId such as {@code 00000000:3B:00.0}; the domain has eight digits here and four in sysfs
 * @param deviceId 16-bit PCI device id, such as 0x2330
 * @param vendorId 16-bit PCI vendor id; 0x10DE is NVIDIA
 */
public record PciInfo(String busId, int deviceId, int vendorId) {
  /** Checks the ranges above. */
  public PciInfo {
    requireNonNull(busId, "busId is null");
    if ((deviceId | vendorId) >>> 16 != 0) {
      throw new IllegalArgumentException(
          "deviceId, vendorId: " + deviceId + ", " + vendorId + " (expected: 0 to 65535)");
    }
  }

  /** Takes NVML's word apart: device id in the upper half, vendor id in the lower. */
  static PciInfo of(String busId, int pciDeviceId) {
    return new PciInfo(busId, pciDeviceId >>> 16, pciDeviceId & 0xFFFF);
  }
}
