package io.quotashare.server.agents;

import static java.util.Objects.requireNonNull;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.agent.v1.SessionResponse;
import io.quotashare.server.grpc.Errors;
import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * What waits for an agent to read it, bounded: an agent that does not read loses its stream, not
 * the scheduler its memory (reliability N6). Messages are made when they are sent, so that a time
 * that is left is the time that is left then.
 */
final class Outbox {
  private final AgentLink link;
  private final int max;
  private final ArrayDeque<Supplier<SessionResponse>> waiting = new ArrayDeque<>();
  private boolean closed;

  Outbox(AgentLink link, int max) {
    this.link = requireNonNull(link, "link is null");
    this.max = max;
  }

  /** Sends a message now or when there is room. */
  synchronized void send(Supplier<SessionResponse> message) {
    if (closed) {
      return;
    }
    if (waiting.size() >= max) {
      close(
          Errors.of(
              Status.Code.RESOURCE_EXHAUSTED,
              "AGENT_TOO_SLOW",
              "the agent does not read: " + max + " messages wait for it"));
      return;
    }
    waiting.add(message);
    drain();
  }

  /** Sends what waits, as far as there is room. */
  synchronized void drain() {
    while (!closed && !waiting.isEmpty() && link.isReady()) {
      link.send(waiting.remove().get());
    }
  }

  synchronized void close(StatusRuntimeException why) {
    if (!closed) {
      closed = true;
      waiting.clear();
      link.close(why);
    }
  }

  /** The agent has ended its half of the stream. */
  synchronized void complete() {
    if (!closed) {
      closed = true;
      waiting.clear();
      link.complete();
    }
  }

  /** The stream ended by itself. */
  synchronized void ended() {
    closed = true;
    waiting.clear();
  }

  synchronized boolean isOpen() {
    return !closed;
  }
}
