package io.quotashare.server.agents;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Part;
import io.quotashare.server.agents.AgentSettings.Ports;
import io.quotashare.server.agents.CommandWriter.Meeting;
import java.util.Optional;

/**
 * Where the nodes of a gang meet: the address of rank 0, and a port that follows from the attempt
 * alone, so that it is the same in every command and after a restart. The range is cut into slices
 * by device index: attempts that live at the same time on a node hold different devices, so they do
 * not meet on one port as long as a node has at most {@value #SLICES} devices.
 */
final class MeetingPoints {
  static final int SLICES = 64;

  private MeetingPoints() {}

  /**
   * @param first node of rank 0; empty if it is not known
   */
  static Meeting of(Attempt attempt, Optional<Node> first, Ports ports) {
    Part rank0 = attempt.parts().get(0);
    int index = first.map(node -> lowestIndex(node, rank0)).orElse(0);
    int size = ports.last() - ports.first() + 1;
    int slices = Math.min(SLICES, size);
    int width = size / slices;
    int offset = Math.floorMod(attempt.key().toString().hashCode(), width);
    int port = ports.first() + Math.floorMod(index, slices) * width + offset;
    return new Meeting(first.map(node -> node.agent().address()).orElse(""), port);
  }

  private static int lowestIndex(Node node, Part part) {
    return node.devices().stream()
        .filter(device -> part.devices().contains(device.uuid()))
        .mapToInt(Device::index)
        .min()
        .orElse(0);
  }
}
