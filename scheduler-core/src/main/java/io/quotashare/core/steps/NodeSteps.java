package io.quotashare.core.steps;

import io.quotashare.core.NodeReport;
import io.quotashare.core.RejectedException;
import io.quotashare.core.RejectedException.Kind;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.PartPhase;
import io.quotashare.core.model.StopCause;
import io.quotashare.core.state.State;
import java.util.Set;

/** What agents and operators do with nodes. */
public final class NodeSteps {
  private final State state;
  private final Moves moves;
  private final Reports reports;

  public NodeSteps(State state, Moves moves, Reports reports) {
    this.state = state;
    this.moves = moves;
    this.reports = reports;
  }

  /** An agent registered, and names the attempts that it knows. */
  public void register(NodeReport report, Set<AttemptKey> known) {
    Node before = state.nodes().get(report.name());
    Node.Order order = before == null ? Node.Order.OPEN : before.order();
    String boot = report.agent().bootId();
    boolean rebooted =
        before != null
            && !before.agent().bootId().isEmpty()
            && !before.agent().bootId().equals(boot);
    state.putNode(
        new Node(
            report.name(),
            report.labels(),
            report.devices(),
            order,
            Node.Liveness.ALIVE,
            report.agent()));
    for (Attempt attempt : reports.attemptsOn(report.name())) {
      if (!known.contains(attempt.key()) && (rebooted || wasStarted(attempt, report.name()))) {
        reports.lost(
            attempt.key(),
            report.name(),
            rebooted ? "the host was rebooted" : "its agent does not know it any more");
      }
    }
    reports.heard(report.name());
  }

  private static boolean wasStarted(Attempt attempt, String node) {
    return attempt.parts().stream().anyMatch(part -> part.node().equals(node) && started(part));
  }

  private static boolean started(Part part) {
    return part.phase() != PartPhase.ASSIGNED && !part.phase().isFree();
  }

  /** The inventory of a node changed. */
  public void update(NodeReport report) {
    Node before = node(report.name());
    Node after =
        new Node(
            before.name(),
            report.labels(),
            report.devices(),
            before.order(),
            before.liveness(),
            report.agent());
    if (!after.equals(before)) {
      state.putNode(after);
    }
  }

  /** An operator wants a node open, cordoned or draining. */
  public void order(String name, Node.Order order) {
    Node node = node(name);
    if (node.order() != order) {
      state.putNode(node.withOrder(order));
    }
    if (order == Node.Order.DRAINING) {
      for (Attempt attempt : reports.attemptsOn(name)) {
        if (!attempt.state().isLeaving()) {
          moves.stop(
              attempt,
              Moves.Decision.of(StopCause.NODE_DRAIN, "node " + name + " is being drained"));
        }
      }
    }
  }

  /** The agent of a node was not heard for a while. */
  public void silent(String name) {
    Node node = node(name);
    if (node.liveness() == Node.Liveness.ALIVE) {
      state.putNode(node.withLiveness(Node.Liveness.SUSPECT));
      reports.silent(name);
    }
  }

  /** The agent of a silent node is heard again. */
  public void heard(String name) {
    Node node = node(name);
    if (node.liveness() == Node.Liveness.SUSPECT) {
      state.putNode(node.withLiveness(Node.Liveness.ALIVE));
      reports.heard(name);
    }
  }

  /** Nothing new runs on the node, and what may still run there keeps its devices. */
  public void gone(String name) {
    Node node = node(name);
    if (node.liveness() != Node.Liveness.LOST) {
      state.putNode(node.withLiveness(Node.Liveness.LOST));
      reports.silent(name);
    }
  }

  /** Nothing runs on the node any more. */
  public void lost(String name, String detail) {
    Node node = node(name);
    if (node.liveness() != Node.Liveness.LOST) {
      state.putNode(node.withLiveness(Node.Liveness.LOST));
    }
    for (Attempt attempt : reports.attemptsOn(name)) {
      reports.lost(attempt.key(), name, detail);
    }
  }

  private Node node(String name) {
    Node node = state.nodes().get(name);
    if (node == null) {
      throw new RejectedException(
          Kind.NOT_FOUND, "NODE_NOT_FOUND", "name", "name: nodes/" + name + " does not exist");
    }
    return node;
  }
}
