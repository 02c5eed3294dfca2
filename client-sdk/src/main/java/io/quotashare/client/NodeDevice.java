package io.quotashare.client;

import static java.util.Objects.requireNonNull;

/**
 * One device of a node.
 *
 * @param uuid device UUID
 * @param index index as the driver lists it now, for display only
 * @param unit capacity unit
 * @param model product name as the driver says it
 * @param state whether it can be given away
 * @param healthDetail why it is not usable; empty if it is
 * @param job job id that holds it; empty if none
 * @param share share that holds it; empty if none
 * @param memoryBytes total memory; 0 if unknown
 */
public record NodeDevice(
    String uuid,
    int index,
    String unit,
    String model,
    DeviceState state,
    String healthDetail,
    String job,
    String share,
    long memoryBytes) {
  /** Checks that nothing is null. */
  public NodeDevice {
    requireNonNull(uuid, "uuid");
    requireNonNull(unit, "unit");
    requireNonNull(model, "model");
    requireNonNull(state, "state");
    requireNonNull(healthDetail, "healthDetail");
    requireNonNull(job, "job");
    requireNonNull(share, "share");
  }
}
