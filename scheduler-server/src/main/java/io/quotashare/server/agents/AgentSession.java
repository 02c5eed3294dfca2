package io.quotashare.server.agents;

import static java.util.Objects.requireNonNull;

import io.grpc.StatusRuntimeException;
import io.quotashare.core.NodeReport;
import io.quotashare.proto.agent.v1.Command;
import io.quotashare.proto.agent.v1.SessionResponse;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the scheduler and one registered agent have with each other. */
final class AgentSession {
  /** Attempts that a session remembers something about. */
  private static final int MAX_REMEMBERED = 10_000;

  private final String node;
  private final String id;
  private final long epoch;
  private final long registration;
  private final Lease lease;
  private final AtomicInteger reportsInFlight = new AtomicInteger();

  private volatile NodeReport report;

  /** Set when devices were taken out of service: the agent's inventory says when they are back. */
  private volatile boolean inventoryWanted;

  // Guarded by this:
  private @Nullable Outbox outbox;
  private long commandSeq;
  private long lastSeq;
  private final Map<String, Long> forwarded = new HashMap<>();
  private final Set<String> strangers = new HashSet<>();

  /**
   * @param registration grows with every registration, in the order of their commits
   * @param report what was registered
   */
  AgentSession(
      String node, String id, long epoch, long registration, Lease lease, NodeReport report) {
    this.node = requireNonNull(node, "node is null");
    this.id = requireNonNull(id, "id is null");
    this.epoch = epoch;
    this.registration = registration;
    this.lease = requireNonNull(lease, "lease is null");
    this.report = requireNonNull(report, "report is null");
  }

  String node() {
    return node;
  }

  String id() {
    return id;
  }

  long epoch() {
    return epoch;
  }

  long registration() {
    return registration;
  }

  Lease lease() {
    return lease;
  }

  AtomicInteger reportsInFlight() {
    return reportsInFlight;
  }

  /** What the agent said about its node last. */
  NodeReport report() {
    return report;
  }

  void report(NodeReport value) {
    report = value;
    inventoryWanted = false;
  }

  /** Asks for the inventory although its hash may be the same. */
  void wantInventory() {
    inventoryWanted = true;
  }

  /** Whether an agent that has an inventory of this hash is to report it. */
  boolean wantsInventory(String hash) {
    return inventoryWanted || !hash.equals(report.agent().inventoryHash());
  }

  /** A stream of the agent begins; one that it had before ends. */
  void attach(Outbox next, StatusRuntimeException replaced) {
    Outbox before;
    synchronized (this) {
      before = outbox;
      outbox = next;
    }
    if (before != null && before != next) {
      before.close(replaced);
    }
  }

  /** Whether a message is new; an old one is a repetition of the transport's. */
  synchronized boolean accept(long seq) {
    if (seq <= lastSeq) {
      return false;
    }
    lastSeq = seq;
    return true;
  }

  /** Whether this version of an attempt's state was not passed on yet; remembers that it is. */
  synchronized boolean isNews(String attempt, long version) {
    Long known = forwarded.get(attempt);
    if (known != null && known >= version) {
      return false;
    }
    if (forwarded.size() >= MAX_REMEMBERED) {
      forwarded.clear();
    }
    forwarded.put(attempt, version);
    return true;
  }

  /** Whether an attempt that the scheduler does not know is named for the first time. */
  synchronized boolean isFirstSightOf(String attempt) {
    return strangers.size() < MAX_REMEMBERED && strangers.add(attempt);
  }

  /** Whether a stream is open. */
  synchronized boolean isConnected() {
    return outbox != null && outbox.isOpen();
  }

  /** Sends a payload. Without a stream it is dropped: all of it can be derived again. */
  void send(Supplier<SessionResponse.Builder> payload) {
    Outbox to;
    synchronized (this) {
      to = outbox;
    }
    if (to != null) {
      to.send(() -> payload.get().setEpoch(epoch).setSession(id).build());
    }
  }

  /** Sends a command. */
  void command(Function<Command.Builder, Command.Builder> operation) {
    send(
        () ->
            SessionResponse.newBuilder()
                .setCommand(operation.apply(Command.newBuilder().setSeq(nextCommandSeq()))));
  }

  private synchronized long nextCommandSeq() {
    return ++commandSeq;
  }

  void close(StatusRuntimeException why) {
    Outbox to;
    synchronized (this) {
      to = outbox;
    }
    if (to != null) {
      to.close(why);
    }
  }
}
