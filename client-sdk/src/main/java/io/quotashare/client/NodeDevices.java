package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * Devices of one node that an attempt holds.
 *
 * @param node node name
 * @param rank rank of the node in the gang, from 0
 * @param deviceUuids device UUIDs
 */
public record NodeDevices(String node, int rank, List<String> deviceUuids) {
  /** Checks that nothing is null and copies the list. */
  public NodeDevices {
    requireNonNull(node, "node");
    deviceUuids = List.copyOf(deviceUuids);
  }
}
