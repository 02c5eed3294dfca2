package io.quotashare.core.model;

import static io.quotashare.core.model.Check.checkArgument;

/**
 * What a gang needs: devices on distinct nodes, all or nothing.
 *
 * @param nodes 1 to {@link #MAX_NODES}
 * @param gpusPerNode 1 to {@link #MAX_GPUS_PER_NODE}
 */
public record Shape(int nodes, int gpusPerNode) {
  /** Largest gang. */
  public static final int MAX_NODES = 4096;

  /** Most devices on one node. */
  public static final int MAX_GPUS_PER_NODE = 10_000;

  public Shape {
    checkArgument(
        nodes >= 1 && nodes <= MAX_NODES, "nodes: %s (expected: 1 to %s)", nodes, MAX_NODES);
    checkArgument(
        gpusPerNode >= 1 && gpusPerNode <= MAX_GPUS_PER_NODE,
        "gpusPerNode: %s (expected: 1 to %s)",
        gpusPerNode,
        MAX_GPUS_PER_NODE);
  }

  /** Devices in total. */
  public int total() {
    return nodes * gpusPerNode;
  }

  @Override
  public String toString() {
    return nodes == 1 ? gpusPerNode + " GPUs" : nodes + " x " + gpusPerNode + " GPUs";
  }
}
