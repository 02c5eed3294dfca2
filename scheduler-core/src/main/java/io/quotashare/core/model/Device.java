package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

/**
 * A device of a node as its agent reports it.
 *
 * @param uuid identity
 * @param index index as the driver lists it now; for display, and for the order of placement
 * @param unit capacity unit
 * @param model product name
 * @param memoryBytes total memory; 0 if unknown
 * @param healthy whether an attempt may start on it
 * @param healthDetail why not; empty if healthy
 * @param outside whether a process outside the scheduler uses it
 */
public record Device(
    String uuid,
    int index,
    String unit,
    String model,
    long memoryBytes,
    boolean healthy,
    String healthDetail,
    boolean outside) {
  public Device {
    requireNonNull(uuid, "uuid is null");
    requireNonNull(unit, "unit is null");
    requireNonNull(model, "model is null");
    requireNonNull(healthDetail, "healthDetail is null");
  }

  /** A healthy device with nothing else to say about it. */
  public static Device healthy(String uuid, int index, String unit) {
    return new Device(uuid, index, unit, unit, 0, true, "", false);
  }

  /** The same, out of service for a reason. */
  public Device unhealthy(String why) {
    return new Device(uuid, index, unit, model, memoryBytes, false, why, outside);
  }

  /** Whether an attempt may start on it if nobody holds it. */
  public boolean startable() {
    return healthy && !outside;
  }
}
