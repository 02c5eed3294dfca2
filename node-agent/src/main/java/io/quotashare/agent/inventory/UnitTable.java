package io.quotashare.agent.inventory;

import static java.util.Map.entry;
import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Maps a GPU to its capacity unit (quota-semantics 1): by the configuration if it names the GPU,
 * else by the table of PCI device ids below, else by its cleaned name.
 *
 * <p>Models are told apart, not their memory or form: an A100 of 40 GB and one of 80 GB are both
 * {@code A100} unless the configuration gives one of them another name. The ids are those of the
 * PCI ID repository.
 */
public final class UnitTable {
  /**
   * What a unit may look like, so that it can stand in a policy, on a command line and in a metric.
   */
  private static final Pattern UNIT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._+-]{0,62}");

  private static final Pattern DEVICE_ID = Pattern.compile("(0[xX])?[0-9a-fA-F]{4}");

  /** The word that says who made it, and what stands in parentheses, tell nothing apart. */
  private static final Pattern NOISE =
      Pattern.compile("\\([^)]*\\)|\\bNVIDIA\\b|\\bTesla\\b|\\bGraphics Device\\b");

  static final Map<Integer, String> BUILT_IN =
      Map.ofEntries(
          entry(0x15F7, "P100"),
          entry(0x15F8, "P100"),
          entry(0x15F9, "P100"),
          entry(0x1B38, "P40"),
          entry(0x1BB3, "P4"),
          entry(0x1DB1, "V100"),
          entry(0x1DB2, "V100"),
          entry(0x1DB3, "V100"),
          entry(0x1DB4, "V100"),
          entry(0x1DB5, "V100"),
          entry(0x1DB6, "V100"),
          entry(0x1DB7, "V100"),
          entry(0x1DB8, "V100"),
          entry(0x1DF5, "V100"),
          entry(0x1DF6, "V100S"),
          entry(0x1EB8, "T4"),
          entry(0x20B0, "A100"),
          entry(0x20B1, "A100"),
          entry(0x20B2, "A100"),
          entry(0x20B3, "A100"),
          entry(0x20B5, "A100"),
          entry(0x20B7, "A30"),
          entry(0x20B8, "A100X"),
          entry(0x20B9, "A30X"),
          entry(0x20F1, "A100"),
          entry(0x20F3, "A800"),
          entry(0x20F5, "A800"),
          entry(0x20F6, "A800"),
          entry(0x2230, "RTX-A6000"),
          entry(0x2231, "RTX-A5000"),
          entry(0x2235, "A40"),
          entry(0x2236, "A10"),
          entry(0x2237, "A10G"),
          entry(0x2313, "H100"),
          entry(0x2321, "H100"),
          entry(0x2322, "H800"),
          entry(0x2324, "H800"),
          entry(0x2329, "H20"),
          entry(0x232C, "H20"),
          entry(0x2330, "H100"),
          entry(0x2331, "H100"),
          entry(0x2335, "H200"),
          entry(0x2336, "H100"),
          entry(0x2337, "H100"),
          entry(0x2338, "H100"),
          entry(0x2339, "H100"),
          entry(0x233A, "H800"),
          entry(0x233B, "H200"),
          entry(0x233D, "H100"),
          entry(0x2342, "GH200"),
          entry(0x2343, "GH200"),
          entry(0x2345, "GH200"),
          entry(0x2348, "GH200"),
          entry(0x26B1, "RTX-6000-Ada"),
          entry(0x26B5, "L40"),
          entry(0x26B7, "L20"),
          entry(0x26B8, "L40G"),
          entry(0x26B9, "L40S"),
          entry(0x26BA, "L20"),
          entry(0x27B6, "L2"),
          entry(0x27B8, "L4"),
          entry(0x2901, "B200"),
          entry(0x2909, "B200"),
          entry(0x2941, "GB200"),
          entry(0x29BC, "B100"),
          entry(0x2BB5, "RTX-PRO-6000"),
          entry(0x3182, "B300"),
          entry(0x31C2, "GB300"),
          entry(0x31C3, "GB300"));

  private final Map<Integer, String> byDeviceId = new HashMap<>(BUILT_IN);
  private final Map<String, String> byName = new HashMap<>();

  /**
   * A table.
   *
   * @param overrides units by PCI device id of four hexadecimal digits (such as {@code 20B0}) or by
   *     the driver's product name (such as {@code NVIDIA A100-SXM4-40GB}), which goes first
   * @throws IllegalArgumentException if a key is blank or a unit is malformed, with both in the
   *     message
   */
  public UnitTable(Map<String, String> overrides) {
    requireNonNull(overrides, "overrides is null").forEach(this::override);
  }

  private void override(String key, String unit) {
    if (key.isBlank()) {
      throw new IllegalArgumentException(
          "units: a blank key (expected: a PCI device id such as 20B0, or a product name)");
    }
    if (!UNIT.matcher(unit).matches()) {
      throw new IllegalArgumentException(
          "units: '" + key + "': '" + unit + "' (expected: a unit that matches " + UNIT + ")");
    }
    if (DEVICE_ID.matcher(key).matches()) {
      String digits = key.substring(key.length() - 4);
      byDeviceId.put(HexFormat.fromHexDigits(digits), unit);
    } else {
      byName.put(key, unit);
    }
  }

  /**
   * The unit of a GPU.
   *
   * @param deviceId 16-bit PCI device id; empty if unknown
   * @param name product name as the driver says it; empty if unknown
   */
  String unit(OptionalInt deviceId, String name) {
    String named = byName.get(name);
    if (named != null) {
      return named;
    }
    String known = deviceId.isPresent() ? byDeviceId.get(deviceId.getAsInt()) : null;
    return known != null ? known : cleaned(name, deviceId);
  }

  /** {@code NVIDIA GeForce RTX 4090} becomes {@code GeForce-RTX-4090}. */
  private static String cleaned(String name, OptionalInt deviceId) {
    String words =
        NOISE
            .matcher(name)
            .replaceAll(" ")
            .replaceAll("[^A-Za-z0-9._+-]+", "-")
            .replaceAll("^[^A-Za-z0-9]+|[^A-Za-z0-9]+$", "");
    String unit = words.length() > 63 ? words.substring(0, 63) : words;
    if (UNIT.matcher(unit).matches()) {
      return unit;
    }
    return deviceId.isPresent()
        ? String.format(Locale.ROOT, "gpu-%04x", deviceId.getAsInt())
        : "unknown";
  }
}
