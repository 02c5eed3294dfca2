package io.quotashare.server.queues;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Device;
import io.quotashare.proto.v1.DeviceState;
import io.quotashare.proto.v1.Node;
import io.quotashare.proto.v1.NodeDevice;
import io.quotashare.proto.v1.NodeState;
import io.quotashare.server.agents.NodeLeases;
import io.quotashare.server.engine.EngineClock;
import io.quotashare.server.grpc.Times;
import io.quotashare.server.view.Snapshot;
import jakarta.inject.Inject;
import java.util.Optional;

/** Nodes of the core in the words of the contract. */
final class NodeWriter {
  private final NodeLeases leases;
  private final EngineClock clock;

  @Inject
  NodeWriter(NodeLeases leases, EngineClock clock) {
    this.leases = requireNonNull(leases, "leases is null");
    this.clock = requireNonNull(clock, "clock is null");
  }

  Node node(io.quotashare.core.model.Node node, Snapshot snapshot) {
    Node.Builder result =
        Node.newBuilder()
            .setName(node.name())
            .setState(state(node))
            .putAllLabels(node.labels())
            .setQueue(snapshot.queueOf(node.name()).orElse(""))
            .setNvmlState(node.agent().nvmlState())
            .setNvmlDetail(node.agent().nvmlDetail())
            .setAgentVersion(node.agent().version())
            .setDriverVersion(node.agent().driverVersion())
            .setAddress(node.agent().address());
    leases
        .heardNanos(node.name())
        .ifPresent(nanos -> result.setLastHeartbeat(Times.timestamp(clock.atNanos(nanos))));
    for (Device device : node.devices()) {
      result.addDevices(device(device, snapshot.holder(node.name(), device.uuid())));
    }
    return result.build();
  }

  /** What is known of a node goes before what an operator wants of it. */
  private static NodeState state(io.quotashare.core.model.Node node) {
    return switch (node.liveness()) {
      case LOST -> NodeState.NODE_STATE_LOST;
      case SUSPECT -> NodeState.NODE_STATE_SUSPECT;
      case ALIVE ->
          switch (node.order()) {
            case OPEN -> NodeState.NODE_STATE_READY;
            case CORDONED -> NodeState.NODE_STATE_CORDONED;
            case DRAINING -> NodeState.NODE_STATE_DRAINING;
          };
    };
  }

  private static NodeDevice device(Device device, Optional<Attempt> holder) {
    return NodeDevice.newBuilder()
        .setUuid(device.uuid())
        .setIndex(device.index())
        .setUnit(device.unit())
        .setModel(device.model())
        .setState(state(device, holder.isPresent()))
        .setHealthDetail(device.healthDetail())
        .setJob(holder.map(attempt -> attempt.key().job().id()).orElse(""))
        .setShare(holder.map(attempt -> attempt.share().share()).orElse(""))
        .setMemoryBytes(device.memoryBytes())
        .build();
  }

  private static DeviceState state(Device device, boolean held) {
    if (held) {
      return DeviceState.DEVICE_STATE_HELD;
    }
    if (!device.healthy()) {
      return DeviceState.DEVICE_STATE_UNHEALTHY;
    }
    return device.outside() ? DeviceState.DEVICE_STATE_OUTSIDE : DeviceState.DEVICE_STATE_FREE;
  }
}
