package io.quotashare.server.logs;

import io.quotashare.proto.agent.v1.FetchLogs;

/** The agents, as far as logs need them. */
public interface LogAgents {
  /** Asks the agent of a node for output; false if no agent of that node is connected. */
  boolean fetch(String node, FetchLogs fetch);
}
