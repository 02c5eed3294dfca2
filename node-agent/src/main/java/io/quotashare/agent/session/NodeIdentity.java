package io.quotashare.agent.session;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * What an agent says of itself when it registers.
 *
 * @param node name of the node
 * @param agentVersion version of this program
 * @param bootId boot id of the host
 * @param labels labels of the node
 * @param advertiseAddress where peers of a gang reach it
 */
public record NodeIdentity(
    String node,
    String agentVersion,
    String bootId,
    Map<String, String> labels,
    String advertiseAddress) {
  /** Copies the labels. */
  public NodeIdentity {
    requireNonNull(node, "node is null");
    requireNonNull(agentVersion, "agentVersion is null");
    requireNonNull(bootId, "bootId is null");
    labels = Map.copyOf(requireNonNull(labels, "labels is null"));
    requireNonNull(advertiseAddress, "advertiseAddress is null");
  }
}
