package io.quotashare.core.replay;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import io.quotashare.core.NodeReport;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A node that exists only in a replay.
 *
 * @param name identity
 * @param gpus its devices, 1 to {@link #MAX_GPUS}
 * @param unit their capacity unit
 * @param labels labels
 */
public record VirtualNode(String name, int gpus, String unit, SortedMap<String, String> labels) {
  /** Most devices of a node (scenario-format). */
  public static final int MAX_GPUS = 10_000;

  public VirtualNode {
    requireNonNull(name, "name is null");
    checkArgument(gpus >= 1 && gpus <= MAX_GPUS, "gpus: %s (expected: 1 to %s)", gpus, MAX_GPUS);
    requireNonNull(unit, "unit is null");
    labels = new TreeMap<>(labels);
  }

  /** Identity of one of its devices. */
  static String uuid(String node, int index) {
    return node + "/" + index;
  }

  /** Index of a device on its node. */
  static int indexOf(String uuid) {
    return Integer.parseInt(uuid.substring(uuid.lastIndexOf('/') + 1));
  }

  /**
   * What its agent says when it registers.
   *
   * @param boot number of the boot of the host, from 1
   */
  NodeReport report(int boot) {
    List<Device> devices = new ArrayList<>(gpus);
    for (int i = 0; i < gpus; i++) {
      devices.add(Device.healthy(uuid(name, i), i, unit));
    }
    String bootId = "boot-" + boot;
    Node.AgentInfo agent = new Node.AgentInfo("", bootId, "", "", "", "", "");
    return new NodeReport(name, labels, devices, agent);
  }
}
