package io.quotashare.agent.inventory;

import io.quotashare.agent.nvml.MigAttributes;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names the profile of a MIG instance, such as {@code 1g.10gb}, for its capacity unit. */
final class MigProfile {
  private static final Pattern IN_NAME =
      Pattern.compile("\\bMIG ((?:[0-9]+c\\.)?[0-9]+g\\.[0-9]+gb(?:[+-][A-Za-z0-9.,]+)?)$");

  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  /** A GPU gives memory to its instances in eighths. */
  private static final int MEMORY_SLICES = 8;

  private MigProfile() {}

  /** The profile at the end of the instance's name, where the driver puts it. */
  static Optional<String> ofName(String name) {
    Matcher matcher = IN_NAME.matcher(name);
    return matcher.find() ? Optional.of(matcher.group(1).replace(',', '.')) : Optional.empty();
  }

  /**
   * The profile that follows from the size of the instance, as NVIDIA's own tools work it out: its
   * memory is rounded up to eighths of the GPU's, and the GPU's to whole GiB.
   *
   * @param gpuBytes memory of the whole GPU, more than 0
   */
  static String ofAttributes(MigAttributes instance, long gpuBytes) {
    if (gpuBytes <= 0) {
      throw new IllegalArgumentException("gpuBytes: " + gpuBytes + " (expected: > 0)");
    }
    double share = (double) instance.memoryMib() * MIB / gpuBytes;
    double eighths = Math.ceil(share * MEMORY_SLICES) / MEMORY_SLICES;
    long gpuGib = (gpuBytes + GIB - 1) / GIB;
    long gib = Math.round(eighths * gpuGib);
    String profile = instance.gpuSlices() + "g." + gib + "gb";
    boolean divided = instance.computeSlices() != instance.gpuSlices();
    return divided ? instance.computeSlices() + "c." + profile : profile;
  }
}
