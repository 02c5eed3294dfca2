package io.quotashare.server.agents;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.server.grpc.Errors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sessions of this scheduler, at most one a node: the newest registration wins. */
public final class AgentSessions {
  private final Object lock = new Object();
  private final Map<String, AgentSession> byNode = new HashMap<>();
  private final Map<String, AgentSession> byId = new HashMap<>();

  /** Puts a session in the place of the node's earlier one; false if a later one is there. */
  boolean install(AgentSession session) {
    AgentSession before;
    synchronized (lock) {
      before = byNode.get(session.node());
      if (before != null && before.registration() > session.registration()) {
        return false;
      }
      if (before != null) {
        byId.remove(before.id());
      }
      byNode.put(session.node(), session);
      byId.put(session.id(), session);
    }
    if (before != null) {
      before.close(replaced(session.node()));
    }
    return true;
  }

  /** The session with which a message was sent; throws if it is not the present one. */
  AgentSession require(long ownEpoch, long epoch, String id) {
    if (epoch != ownEpoch) {
      throw stale(
          "STALE_EPOCH", "epoch: " + epoch + " (expected: " + ownEpoch + "): register again");
    }
    synchronized (lock) {
      AgentSession session = byId.get(id);
      if (session == null) {
        throw stale("STALE_SESSION", "the session is not, or no longer, valid: register again");
      }
      return session;
    }
  }

  /** The session of a node; empty if none registered with this scheduler. */
  Optional<AgentSession> ofNode(String node) {
    synchronized (lock) {
      return Optional.ofNullable(byNode.get(node));
    }
  }

  /** Ends a session whose lease is over. */
  void end(AgentSession session) {
    synchronized (lock) {
      byNode.remove(session.node(), session);
      byId.remove(session.id());
    }
    session.close(leaseOver());
  }

  /** Nodes whose agent has an open stream. */
  public int connected() {
    return (int) all().stream().filter(AgentSession::isConnected).count();
  }

  /** Whether the agent of a node has an open stream. */
  public boolean isConnected(String node) {
    return ofNode(node).filter(AgentSession::isConnected).isPresent();
  }

  /** Ends all sessions: the scheduler stops. */
  public void close() {
    all()
        .forEach(
            session ->
                session.close(
                    Errors.retryLater(
                        Status.Code.UNAVAILABLE, "STOPPING", "the scheduler stops", 1_000)));
  }

  private List<AgentSession> all() {
    synchronized (lock) {
      return List.copyOf(byNode.values());
    }
  }

  static StatusRuntimeException leaseOver() {
    return stale("LEASE_OVER", "the node was silent for too long and is lost: register again");
  }

  static StatusRuntimeException replaced(String node) {
    return Errors.of(
        Status.Code.ABORTED,
        "SESSION_REPLACED",
        "another agent has registered as node "
            + node
            + " since; if that repeats, two agents run under one node name");
  }

  private static StatusRuntimeException stale(String reason, String message) {
    return Errors.of(Status.Code.FAILED_PRECONDITION, reason, message);
  }
}
