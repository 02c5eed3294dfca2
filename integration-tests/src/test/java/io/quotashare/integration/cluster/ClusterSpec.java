package io.quotashare.integration.cluster;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a cluster is made of.
 *
 * @param nodes devices by node name, in the order in which agents are started; 0 for a node on
 *     which no device library is found
 * @param serverSettings keys of the server's configuration file
 * @param agentFlags flags of every agent, without the dashes
 */
public record ClusterSpec(
    Map<String, Integer> nodes,
    Map<String, String> serverSettings,
    Map<String, String> agentFlags) {
  /** Copies the maps and keeps their order. */
  public ClusterSpec {
    nodes = Collections.unmodifiableMap(new LinkedHashMap<>(nodes));
    serverSettings = Collections.unmodifiableMap(new LinkedHashMap<>(serverSettings));
    agentFlags = Collections.unmodifiableMap(new LinkedHashMap<>(agentFlags));
  }

  /**
   * Nodes with one device each. Times are short where they only make waiting shorter. Silence is
   * taken for what it is after minutes, not seconds: a busy machine must not look like a dead one.
   */
  public static ClusterSpec ofNodes(String... names) {
    Map<String, Integer> nodes = new LinkedHashMap<>();
    for (String name : names) {
      nodes.put(name, 1);
    }
    return new ClusterSpec(
        nodes,
        Map.of("agents.heartbeatInterval", "200ms", "agents.resendAfter", "1s"),
        Map.of("poll-interval", "50ms", "sweep-interval", "1s", "nvml-retry-max", "1s"));
  }

  /** The same with another number of devices on one node. */
  public ClusterSpec withDevices(String node, int devices) {
    Map<String, Integer> changed = new LinkedHashMap<>(nodes);
    changed.put(node, devices);
    return new ClusterSpec(changed, serverSettings, agentFlags);
  }

  /** The same with another key of the server's configuration. */
  public ClusterSpec withServer(String key, String value) {
    Map<String, String> changed = new LinkedHashMap<>(serverSettings);
    changed.put(key, value);
    return new ClusterSpec(nodes, changed, agentFlags);
  }

  /** The same with another flag of all agents. */
  public ClusterSpec withAgents(String flag, String value) {
    Map<String, String> changed = new LinkedHashMap<>(agentFlags);
    changed.put(flag, value);
    return new ClusterSpec(nodes, serverSettings, changed);
  }
}
