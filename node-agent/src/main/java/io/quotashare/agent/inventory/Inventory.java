package io.quotashare.agent.inventory;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What is known of the devices of this host at one instant.
 *
 * <p>A device that was seen once stays listed while the agent runs, unhealthy if it cannot be used,
 * so that attempts which hold it keep a name for it. Only MIG instances are removed, when their GPU
 * is there and lists them no longer.
 *
 * @param state state of the device library
 * @param detail the same in words, with what an operator can do; empty if there is nothing to say
 * @param driverVersion driver version; empty if unknown
 * @param devices devices in order of their UUIDs, each UUID once
 */
public record Inventory(
    NvmlState state, String detail, String driverVersion, List<GpuDevice> devices) {

  /** Sorts the devices. */
  public Inventory {
    requireNonNull(state, "state is null");
    requireNonNull(detail, "detail is null");
    requireNonNull(driverVersion, "driverVersion is null");
    devices =
        requireNonNull(devices, "devices is null").stream()
            .sorted(Comparator.comparing(GpuDevice::uuid))
            .toList();
    for (int i = 1; i < devices.size(); i++) {
      String uuid = devices.get(i).uuid();
      if (devices.get(i - 1).uuid().equals(uuid)) {
        throw new IllegalArgumentException("devices: UUID " + uuid + " twice (expected: once)");
      }
    }
  }

  /** The device with this UUID, if it is known. */
  public Optional<GpuDevice> device(String uuid) {
    return devices.stream().filter(device -> device.uuid().equals(uuid)).findFirst();
  }

  /**
   * Whether an attempt may be started on the device: the library is {@link NvmlState#OK}, the
   * device is known, healthy, and not used from outside.
   */
  public boolean startable(String uuid) {
    return state == NvmlState.OK && device(uuid).filter(GpuDevice::startable).isPresent();
  }

  /**
   * A hash of everything in here, equal for equal inventories in every run of every agent: 32
   * hexadecimal digits. Nothing in here changes by itself with the load, so the hash changes only
   * when there is something to report.
   */
  public String hash() {
    StringBuilder text = new StringBuilder();
    field(text, state.name());
    field(text, detail);
    field(text, driverVersion);
    for (GpuDevice device : devices) {
      field(text, device.uuid());
      field(text, device.index());
      field(text, device.unit());
      field(text, device.model());
      field(text, device.memoryBytes());
      field(text, device.healthDetail());
      field(text, device.outside());
      field(text, device.pciBusId());
      field(text, device.minorNumber());
    }
    byte[] digest = sha256().digest(text.toString().getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest, 0, 16);
  }

  /** The length in front keeps two different lists of fields from becoming the same text. */
  private static void field(StringBuilder text, Object value) {
    String string = value.toString();
    text.append(string.length()).append(':').append(string);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
