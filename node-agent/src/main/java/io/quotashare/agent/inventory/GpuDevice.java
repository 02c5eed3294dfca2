package io.quotashare.agent.inventory;

import static java.util.Objects.requireNonNull;

/**
 * A schedulable device: a whole GPU, or a MIG instance of one.
 *
 * @param uuid identity, {@code GPU-...} or {@code MIG-...}
 * @param index index in the driver's present order, for display only; of a MIG instance that of its
 *     GPU; -1 if unknown
 * @param unit capacity unit, such as {@code H100} or {@code H100-1g.10gb} (quota-semantics 1)
 * @param model product name as the driver says it; empty if unknown
 * @param memoryBytes total memory in bytes; 0 if unknown
 * @param healthy whether an attempt may start on it
 * @param healthDetail why not, beginning with a word in capitals such as {@code LOST}; empty
 *     exactly if healthy
 * @param outside a process that belongs to no known attempt uses it
 * @param pciBusId PCI bus id of the GPU; empty if unknown
 * @param minorNumber N of {@code /dev/nvidiaN} of the GPU, which is not its index; -1 if unknown
 */
public record GpuDevice(
    String uuid,
    int index,
    String unit,
    String model,
    long memoryBytes,
    boolean healthy,
    String healthDetail,
    boolean outside,
    String pciBusId,
    int minorNumber) {

  /** Checks the ranges above. */
  public GpuDevice {
    requireNonNull(model, "model is null");
    requireNonNull(healthDetail, "healthDetail is null");
    requireNonNull(pciBusId, "pciBusId is null");
    check(!requireNonNull(uuid, "uuid is null").isBlank(), "uuid is blank");
    check(!requireNonNull(unit, "unit is null").isBlank(), "unit is blank");
    check(index >= -1, "index: " + index + " (expected: >= -1)");
    check(memoryBytes >= 0, "memoryBytes: " + memoryBytes + " (expected: >= 0)");
    check(minorNumber >= -1, "minorNumber: " + minorNumber + " (expected: >= -1)");
    check(
        healthy == healthDetail.isEmpty(),
        "healthDetail: '" + healthDetail + "' (expected: empty exactly if healthy)");
  }

  /** Whether an attempt may be started on it: healthy, and nobody else uses it. */
  public boolean startable() {
    return healthy && !outside;
  }

  private static void check(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
