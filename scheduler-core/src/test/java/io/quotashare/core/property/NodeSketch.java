package io.quotashare.core.property;

import io.quotashare.core.NodeReport;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** A node as a test writes it down: healthy devices, boot 1. */
final class NodeSketch extends Sketch<NodeSketch> {
  final String name;
  private final List<String> units = new ArrayList<>();
  private final Set<Integer> unhealthy = new HashSet<>();
  private final Set<Integer> outside = new HashSet<>();
  private final TreeMap<String, String> labels = new TreeMap<>();
  private int boot = 1;

  private NodeSketch(String name) {
    super("node(\"" + name + "\")");
    this.name = name;
  }

  static NodeSketch node(String name) {
    return new NodeSketch(name);
  }

  NodeSketch has(int devices) {
    return trait(String.format("has(%s)", devices), s -> s.addAll(devices, "H100"));
  }

  NodeSketch has(int devices, String unit) {
    return trait(String.format("has(%s, \"%s\")", devices, unit), s -> s.addAll(devices, unit));
  }

  private void addAll(int devices, String unit) {
    for (int i = 0; i < devices; i++) {
      units.add(unit);
    }
  }

  /** Some device is not healthy. */
  NodeSketch broken(int index) {
    return trait(String.format("broken(%s)", index), s -> s.unhealthy.add(index));
  }

  /** A foreign process uses some device. */
  NodeSketch outside(int index) {
    return trait(String.format("outside(%s)", index), s -> s.outside.add(index));
  }

  NodeSketch pool(String value) {
    return trait(String.format("pool(\"%s\")", value), s -> s.labels.put("pool", value));
  }

  NodeSketch boot(int value) {
    return trait(String.format("boot(%s)", value), s -> s.boot = value);
  }

  NodeReport report() {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < units.size(); i++) {
      String uuid = name + "-" + i;
      boolean healthy = !unhealthy.contains(i);
      devices.add(
          new Device(
              uuid,
              i,
              units.get(i),
              units.get(i),
              0,
              healthy,
              healthy ? "" : "broken",
              outside.contains(i)));
    }
    Node.AgentInfo agent = new Node.AgentInfo("1", "boot-" + boot, "", "", "", "", "");
    return new NodeReport(name, labels, devices, agent);
  }

  @Override
  NodeSketch self() {
    return this;
  }

  @Override
  NodeSketch plain() {
    return new NodeSketch(name);
  }
}
