package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A GPU host.
 *
 * @param name identity
 * @param labels as its agent reports them
 * @param devices in order of their index
 * @param order what an operator wants of it
 * @param liveness what the scheduler knows of it
 * @param agent what its agent says about itself
 */
public record Node(
    String name,
    SortedMap<String, String> labels,
    List<Device> devices,
    Order order,
    Liveness liveness,
    AgentInfo agent) {

  /** What an operator wants of a node (quota-semantics 9.2). */
  public enum Order {
    /** Takes work. */
    OPEN,
    /** Takes nothing new. */
    CORDONED,
    /** Its attempts move elsewhere. */
    DRAINING
  }

  /** What the scheduler knows of a node. */
  public enum Liveness {
    /** Its agent is heard. */
    ALIVE,
    /** Silent for a moment: nothing is placed there; it changes nobody's rights. */
    SUSPECT,
    /** Silent past its lease, or fenced: its attempts have ended. */
    LOST
  }

  /**
   * What an agent says about itself.
   *
   * @param version program version
   * @param bootId boot id of the host
   * @param address how peers of a gang reach the host
   * @param driverVersion empty if unknown
   * @param nvmlState state of the device library
   * @param nvmlDetail the same in words
   * @param inventoryHash hash of the inventory that was reported last
   */
  public record AgentInfo(
      String version,
      String bootId,
      String address,
      String driverVersion,
      String nvmlState,
      String nvmlDetail,
      String inventoryHash) {
    /** An agent that has said nothing. */
    public static final AgentInfo NONE = new AgentInfo("", "", "", "", "", "", "");
  }

  public Node {
    requireNonNull(name, "name is null");
    labels = new TreeMap<>(labels);
    devices = List.copyOf(devices);
    requireNonNull(order, "order is null");
    requireNonNull(liveness, "liveness is null");
    requireNonNull(agent, "agent is null");
  }

  /** Whether something new may be placed on it. */
  public boolean takesWork() {
    return order == Order.OPEN && liveness == Liveness.ALIVE;
  }

  /** Whether its free devices exist for scheduling (quota-semantics 1, {@code E}). */
  public boolean countsFree() {
    return order == Order.OPEN && liveness != Liveness.LOST;
  }

  public Node withOrder(Order newOrder) {
    return new Node(name, labels, devices, newOrder, liveness, agent);
  }

  public Node withDevices(List<Device> newDevices) {
    return new Node(name, labels, newDevices, order, liveness, agent);
  }

  public Node withLiveness(Liveness newLiveness) {
    return new Node(name, labels, devices, order, newLiveness, agent);
  }
}
