package io.quotashare.core;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Device;
import io.quotashare.core.model.Node;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an agent says about its node.
 *
 * @param name node name
 * @param labels labels
 * @param devices in order of their index
 * @param agent about itself
 */
public record NodeReport(
    String name, SortedMap<String, String> labels, List<Device> devices, Node.AgentInfo agent) {
  public NodeReport {
    requireNonNull(name, "name is null");
    labels = new TreeMap<>(labels);
    devices = List.copyOf(devices);
    requireNonNull(agent, "agent is null");
  }
}
