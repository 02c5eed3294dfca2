package io.quotashare.server.agents;

import static java.util.Objects.requireNonNull;

import io.quotashare.proto.agent.v1.FetchLogs;
import io.quotashare.server.logs.LogAgents;
import java.util.Optional;

/** Asks for output through the agents' sessions. */
final class SessionLogAgents implements LogAgents {
  private final AgentSessions sessions;

  SessionLogAgents(AgentSessions sessions) {
    this.sessions = requireNonNull(sessions, "sessions is null");
  }

  @Override
  public boolean fetch(String node, FetchLogs fetch) {
    Optional<AgentSession> session = sessions.ofNode(node).filter(AgentSession::isConnected);
    session.ifPresent(s -> s.command(command -> command.setFetchLogs(fetch)));
    return session.isPresent();
  }
}
