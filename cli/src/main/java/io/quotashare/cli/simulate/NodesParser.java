package io.quotashare.cli.simulate;

import io.quotashare.cli.yaml.YamlMap;
import io.quotashare.cli.yaml.YamlValue;
import io.quotashare.core.replay.VirtualNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads the nodes of a scenario. */
final class NodesParser {
  private static final Set<String> KEYS = Set.of("name", "gpus", "unit", "labels", "count");

  /** Most devices of a scenario: every one of them is an object. */
  static final int MAX_DEVICES = 1_000_000;

  private final List<VirtualNode> nodes = new ArrayList<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private long devices;

  private NodesParser() {}

  /** The nodes, those with a count one by one; what is wrong is added to the problems. */
  static List<VirtualNode> parse(YamlValue list) {
    NodesParser parser = new NodesParser();
    for (YamlValue entry : list.asList().orElse(List.of())) {
      entry.asMap(KEYS).ifPresent(parser::add);
    }
    return List.copyOf(parser.nodes);
  }

  private void add(YamlMap map) {
    Optional<String> name = map.requireString("name");
    Optional<Integer> gpus =
        map.require("gpus", "a whole number from 1 to " + VirtualNode.MAX_GPUS)
            .flatMap(v -> v.asInt(1, VirtualNode.MAX_GPUS));
    Optional<String> unit =
        map.require("unit", "a capacity unit such as H100").flatMap(YamlValue::asNonEmptyString);
    Map<String, String> labels = map.get("labels").flatMap(YamlValue::asStringMap).orElse(Map.of());
    Optional<Integer> count = map.integer("count", 1, MAX_DEVICES);
    if (name.isEmpty()
        || gpus.isEmpty()
        || unit.isEmpty()
        || (map.has("count") && count.isEmpty())) {
      return;
    }
    devices += (long) gpus.get() * count.orElse(1);
    if (devices > MAX_DEVICES) {
      map.value()
          .problem(
              "with this entry there are " + devices + " devices, expected at most " + MAX_DEVICES);
      return;
    }
    if (count.isEmpty()) {
      add(map, name.get(), gpus.get(), unit.get(), labels);
    }
    for (int i = 0; i < count.orElse(0); i++) {
      add(map, name.get() + "-" + i, gpus.get(), unit.get(), labels);
    }
  }

  private void add(YamlMap map, String name, int gpus, String unit, Map<String, String> labels) {
    Integer before = lines.putIfAbsent(name, map.value().line());
    if (before != null) {
      map.problem(
          "name", "a node named \"" + name + "\" is defined in line " + before + " already");
      return;
    }
    nodes.add(new VirtualNode(name, gpus, unit, new TreeMap<>(labels)));
  }
}
