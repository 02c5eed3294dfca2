package io.quotashare.cli.nodes;

import io.quotashare.cli.output.Column;
import io.quotashare.cli.output.Resource;
import io.quotashare.cli.output.Times;
import io.quotashare.cli.output.Tone;
import io.quotashare.client.DeviceState;
import io.quotashare.client.Node;
import io.quotashare.client.NodeDevice;
import io.quotashare.client.NodeState;
import io.quotashare.client.internal.QueueProtos;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** How nodes and devices are shown. */
final class NodeTexts {
  private NodeTexts() {}

  /** Nodes in every format; ages are counted from {@code now}. */
  static Resource<Node> nodes(Instant now) {
    return new Resource<>(
        "nodes",
        List.of(
            Column.text("NODE", Node::id),
            Column.<Node>text("STATE", n -> n.state().name()).toned(n -> tone(n.state())),
            Column.<Node>text("QUEUE", n -> n.queue().isEmpty() ? "-" : n.queue()),
            Column.text("UNITS", NodeTexts::units),
            Column.number("GPUS", (Node n) -> n.devices().size()),
            Column.number("HELD", (Node n) -> count(n, DeviceState.HELD)),
            Column.number("FREE", (Node n) -> count(n, DeviceState.FREE)),
            Column.number("OUTSIDE", (Node n) -> count(n, DeviceState.OUTSIDE)),
            Column.number("UNHEALTHY", (Node n) -> count(n, DeviceState.UNHEALTHY)),
            Column.<Node>text("HEARD", n -> Times.between(n.lastHeartbeat(), now) + " ago"),
            Column.text("LABELS", NodeTexts::labels).wide(),
            Column.text("ADDRESS", Node::address).wide(),
            Column.text("AGENT", Node::agentVersion).wide(),
            Column.text("DRIVER", Node::driverVersion).wide(),
            Column.text("DEVICE LIBRARY", NodeTexts::library)),
        Node::name,
        QueueProtos::toProto);
  }

  /** Columns of the devices of a node. */
  static List<Column<NodeDevice>> devices() {
    return List.of(
        Column.number("GPU", NodeDevice::index),
        Column.text("UNIT", NodeDevice::unit),
        Column.<NodeDevice>text("STATE", d -> d.state().name()).toned(d -> tone(d.state())),
        Column.text("JOB", NodeDevice::job),
        Column.text("SHARE", NodeDevice::share),
        Column.text("MODEL", NodeDevice::model),
        Column.text("UUID", NodeDevice::uuid),
        Column.text("WHY", NodeDevice::healthDetail));
  }

  /** Labels as {@code pool=research,rack=r1}. */
  static String labels(Node node) {
    return node.labels().entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue())
        .collect(Collectors.joining(","));
  }

  /** The state of the device library; never the code alone where it is not well. */
  static String library(Node node) {
    return node.nvmlDetail().isEmpty() || node.nvmlState().equals("OK")
        ? node.nvmlState()
        : node.nvmlState() + ": " + node.nvmlDetail();
  }

  /** What the colour of a state says. */
  static Tone tone(NodeState state) {
    return switch (state) {
      case READY -> Tone.GOOD;
      case SUSPECT, CORDONED, DRAINING -> Tone.WAIT;
      case LOST, UNRECOGNIZED -> Tone.BAD;
    };
  }

  private static Tone tone(DeviceState state) {
    return switch (state) {
      case HELD -> Tone.GOOD;
      case FREE -> Tone.PLAIN;
      case OUTSIDE, UNHEALTHY, UNRECOGNIZED -> Tone.BAD;
    };
  }

  private static String units(Node node) {
    return node.devices().stream()
        .map(NodeDevice::unit)
        .distinct()
        .sorted()
        .collect(Collectors.joining(","));
  }

  private static long count(Node node, DeviceState state) {
    return node.devices().stream().filter(d -> d.state() == state).count();
  }
}
