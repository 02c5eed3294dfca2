package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A GPU host.
 *
 * @param name {@code nodes/{node}}
 * @param state whether the scheduler places work on it
 * @param labels labels as its agent reported them
 * @param queue queue that it belongs to; empty if none selects it
 * @param devices devices in order of their index
 * @param lastHeartbeat when its agent was last heard
 * @param nvmlState state of the agent's device library, such as OK or LIBRARY_NOT_FOUND
 * @param nvmlDetail the same in words, with what an operator can do
 * @param agentVersion version of the agent
 * @param driverVersion driver version; empty if unknown
 * @param address address that peers of a gang reach it by
 */
public record Node(
    String name,
    NodeState state,
    Map<String, String> labels,
    String queue,
    List<NodeDevice> devices,
    @Nullable Instant lastHeartbeat,
    String nvmlState,
    String nvmlDetail,
    String agentVersion,
    String driverVersion,
    String address) {
  /** Checks that nothing required is null and copies the collections. */
  public Node {
    requireNonNull(name, "name");
    requireNonNull(state, "state");
    labels = Collect.copy(labels);
    requireNonNull(queue, "queue");
    devices = List.copyOf(devices);
    requireNonNull(nvmlState, "nvmlState");
    requireNonNull(nvmlDetail, "nvmlDetail");
    requireNonNull(agentVersion, "agentVersion");
    requireNonNull(driverVersion, "driverVersion");
    requireNonNull(address, "address");
  }

  /** Its name inside the scheduler. */
  public String id() {
    return ResourceNames.lastId(name);
  }
}
