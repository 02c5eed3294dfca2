package io.quotashare.server.agents;

import io.grpc.StatusRuntimeException;
import io.quotashare.proto.agent.v1.SessionResponse;

/** The way to an agent: a stream of the network, or of a test. */
interface AgentLink {
  /** Whether the agent has room for a message. */
  boolean isReady();

  /** Sends a message. Only while {@link #isReady}. */
  void send(SessionResponse message);

  /** Ends the stream well. */
  void complete();

  /** Ends the stream. */
  void close(StatusRuntimeException why);
}
