package io.quotashare.agent.session;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Duration;
import io.quotashare.agent.attempt.Attempts;
import io.quotashare.agent.inventory.InventorySource;
import io.quotashare.agent.time.AgentClock;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.Command;
import io.quotashare.proto.agent.v1.Heartbeat;
import io.quotashare.proto.agent.v1.HeartbeatAck;
import io.quotashare.proto.agent.v1.Inventory;
import io.quotashare.proto.agent.v1.RegisterRequest;
import io.quotashare.proto.agent.v1.RegisterResponse;
import io.quotashare.proto.agent.v1.ReportInventoryRequest;
import io.quotashare.proto.agent.v1.ReportInventoryResponse;
import io.quotashare.proto.agent.v1.SessionRequest;
import io.quotashare.proto.agent.v1.SessionResponse;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a session with the scheduler: registers, beats, repeats reports until they are
 * acknowledged, and obeys commands of the present registration and of no other
 * (reliability-and-security V11). While there is no scheduler it tries again and again; the jobs go
 * on.
 *
 * <p>Deterministic; used by the agent's thread alone.
 */
public final class AgentSession {
  /** Version of the protocol that this agent speaks. */
  static final int PROTOCOL_VERSION = 1;

  /** When a report that was not acknowledged is sent again. */
  static final long REPEAT_MILLIS = 5_000;

  static final long BACKOFF_FIRST_MILLIS = 500;
  static final long BACKOFF_MAX_MILLIS = 30_000;
  private static final long HEARTBEAT_MIN_MILLIS = 50;
  private static final long HEARTBEAT_MAX_MILLIS = 60_000;
  private static final long SILENCE_MIN_MILLIS = 10_000;
  private static final int SILENCE_HEARTBEATS = 3;
  private static final Logger log = LoggerFactory.getLogger(AgentSession.class);

  private final SchedulerLink link;
  private final Attempts attempts;
  private final InventorySource inventory;
  private final OutputPusher output;
  private final EpochFence fence;
  private final AgentClock clock;
  private final NodeIdentity identity;
  private final Backoff backoff;

  /** Names one registration, so that what an earlier one left behind is known as such. */
  private long registrations;

  private Optional<Open> open = Optional.empty();
  private boolean registering;
  private long retryAtBootMillis;
  private String lastTrouble = "";

  /** An open session. */
  private static final class Open {
    final long epoch;
    final String session;
    final long heartbeatMillis;
    final SchedulerLink.SessionStream stream;
    final Map<String, Sent> sent = new HashMap<>();
    long seq;
    long commandSeq;
    long nextHeartbeatBootMillis;
    long heardBootMillis;
    long lastHeartbeatBootMillis;
    String reportedInventory;
    boolean reportingInventory;

    Open(
        RegisterResponse response,
        long heartbeatMillis,
        SchedulerLink.SessionStream stream,
        String reportedInventory,
        long now) {
      this.epoch = response.getEpoch();
      this.session = response.getSession();
      this.heartbeatMillis = heartbeatMillis;
      this.stream = stream;
      this.reportedInventory = reportedInventory;
      this.heardBootMillis = now;
      this.nextHeartbeatBootMillis = now;
    }
  }

  private record Sent(long version, long atBootMillis) {}

  /** A session over a link. It begins with the first {@link #tick}. */
  public AgentSession(
      SchedulerLink link,
      Attempts attempts,
      InventorySource inventory,
      OutputPusher output,
      EpochFence fence,
      AgentClock clock,
      NodeIdentity identity,
      RandomGenerator random) {
    this.link = requireNonNull(link, "link is null");
    this.attempts = requireNonNull(attempts, "attempts is null");
    this.inventory = requireNonNull(inventory, "inventory is null");
    this.output = requireNonNull(output, "output is null");
    this.fence = requireNonNull(fence, "fence is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.identity = requireNonNull(identity, "identity is null");
    this.backoff = new Backoff(BACKOFF_FIRST_MILLIS, BACKOFF_MAX_MILLIS, random);
  }

  /** Whether there is a session now. */
  public boolean isOpen() {
    return open.isPresent();
  }

  /** Does what is due. */
  public void tick() {
    long now = clock.bootMillis();
    if (open.isEmpty()) {
      if (!registering && now >= retryAtBootMillis) {
        register(now);
      }
      return;
    }
    Open session = open.get();
    long silence = Math.max(SILENCE_MIN_MILLIS, SILENCE_HEARTBEATS * session.heartbeatMillis);
    if (now - session.heardBootMillis >= silence) {
      lose(new LinkFailure("SILENCE", "the scheduler has not answered for " + silence + " ms"));
      return;
    }
    if (!session.stream.isReady()) {
      return;
    }
    sendReports(session, now);
    if (now >= session.nextHeartbeatBootMillis) {
      heartbeat(session, now);
    }
    if (!presentInventory().getHash().equals(session.reportedInventory)) {
      reportInventory(session);
    }
  }

  /** Ends the session, if there is one; the agent is about to go. */
  public void close() {
    open.ifPresent(session -> session.stream.close());
    open = Optional.empty();
    registrations++;
    registering = true;
  }

  // ---- Registration -------------------------------------------------------------------------

  private void register(long now) {
    long registration = ++registrations;
    registering = true;
    Inventory present = presentInventory();
    RegisterRequest request =
        RegisterRequest.newBuilder()
            .setProtocolVersion(PROTOCOL_VERSION)
            .setNode(identity.node())
            .setAgentVersion(identity.agentVersion())
            .setBootId(identity.bootId())
            .putAllLabels(identity.labels())
            .setAdvertiseAddress(identity.advertiseAddress())
            .addAllAttempts(attempts.unfinished())
            .setInventory(present)
            .build();
    link.register(
        request,
        new SchedulerLink.Answer<>() {
          @Override
          public void ok(RegisterResponse response) {
            if (registration == registrations) {
              registering = false;
              registered(response, now, present.getHash());
            }
          }

          @Override
          public void failed(LinkFailure failure) {
            if (registration == registrations) {
              registering = false;
              retry("cannot register with the scheduler: " + failure);
            }
          }
        });
  }

  private void registered(RegisterResponse response, long sentBootMillis, String inventoryHash) {
    long heartbeatMillis = millis(response.getHeartbeatInterval());
    Optional<String> objection = objection(response, heartbeatMillis);
    if (objection.isPresent()) {
      retry(objection.get());
      return;
    }
    long registration = registrations;
    SchedulerLink.SessionStream stream =
        link.openSession(
            new SchedulerLink.SessionListener() {
              @Override
              public void message(SessionResponse message) {
                if (registration == registrations) {
                  open.ifPresent(session -> received(session, message));
                }
              }

              @Override
              public void ended(LinkFailure reason) {
                if (registration == registrations && open.isPresent()) {
                  lose(reason);
                }
              }
            });
    open =
        Optional.of(new Open(response, heartbeatMillis, stream, inventoryHash, clock.bootMillis()));
    lastTrouble = "";
    log.info(
        "registered as node {} with the scheduler (epoch {}, heartbeat every {} ms)",
        identity.node(),
        response.getEpoch(),
        heartbeatMillis);
    attempts.renewLeases(sentBootMillis);
    attempts.endWithoutReport(response.getEndedAttemptsList());
    tick();
  }

  private Optional<String> objection(RegisterResponse response, long heartbeatMillis) {
    if (response.getProtocolVersion() != PROTOCOL_VERSION) {
      return Optional.of(
          "the scheduler speaks protocol version "
              + response.getProtocolVersion()
              + " (expected: "
              + PROTOCOL_VERSION
              + "); use releases of scheduler and agent that fit");
    }
    if (heartbeatMillis < HEARTBEAT_MIN_MILLIS || heartbeatMillis > HEARTBEAT_MAX_MILLIS) {
      return Optional.of(
          "the scheduler wants a heartbeat every "
              + heartbeatMillis
              + " ms (expected: "
              + HEARTBEAT_MIN_MILLIS
              + " to "
              + HEARTBEAT_MAX_MILLIS
              + ")");
    }
    if (response.getSession().isEmpty()) {
      return Optional.of("the scheduler gave no session");
    }
    if (response.getEpoch() < fence.highest()) {
      return Optional.of(
          "not obeying the scheduler: its epoch "
              + response.getEpoch()
              + " is lower than "
              + fence.highest()
              + ", which this agent has obeyed before. It is a leader of the past,"
              + " or its data was replaced; in that case stop this agent, delete "
              + fence.place()
              + " and start it again");
    }
    try {
      fence.raise(response.getEpoch());
    } catch (UncheckedIOException e) {
      return Optional.of("not obeying the scheduler: " + e.getMessage());
    }
    return Optional.empty();
  }

  private void lose(LinkFailure reason) {
    open.ifPresent(session -> session.stream.close());
    open = Optional.empty();
    registrations++;
    retry("the session with the scheduler has ended (" + reason + ")");
  }

  private void retry(String trouble) {
    long wait = backoff.nextMillis();
    retryAtBootMillis = clock.bootMillis() + wait;
    // An outage is one thing to say, not one every few seconds.
    if (!lastTrouble.equals(trouble)) {
      log.warn("{}; jobs go on; trying again in {} ms and so on", trouble, wait);
      lastTrouble = trouble;
    }
  }

  // ---- Upwards ------------------------------------------------------------------------------

  private SessionRequest.Builder message(Open session) {
    return SessionRequest.newBuilder()
        .setEpoch(session.epoch)
        .setSession(session.session)
        .setSeq(++session.seq);
  }

  private void sendReports(Open session, long now) {
    Map<String, Sent> still = new HashMap<>();
    for (AttemptStatus status : attempts.unacknowledged()) {
      Sent last = session.sent.get(status.getAttempt());
      boolean due =
          last == null
              || last.version != status.getVersion()
              || now - last.atBootMillis >= REPEAT_MILLIS;
      if (due && session.stream.isReady()) {
        session.stream.send(message(session).setAttemptStatus(status).build());
        last = new Sent(status.getVersion(), now);
      }
      if (last != null) {
        still.put(status.getAttempt(), last);
      }
    }
    session.sent.clear();
    session.sent.putAll(still);
  }

  private void heartbeat(Open session, long now) {
    session.lastHeartbeatBootMillis = now;
    session.nextHeartbeatBootMillis = now + session.heartbeatMillis;
    session.stream.send(
        message(session)
            .setHeartbeat(
                Heartbeat.newBuilder()
                    .setSentMonotonicMs(now)
                    .setInventoryHash(session.reportedInventory)
                    .addAllAttempts(attempts.running()))
            .build());
  }

  private Inventory presentInventory() {
    return ReportedInventory.of(inventory.current(), attempts.quarantined());
  }

  private void reportInventory(Open session) {
    if (session.reportingInventory) {
      return;
    }
    session.reportingInventory = true;
    Inventory present = presentInventory();
    link.reportInventory(
        ReportInventoryRequest.newBuilder()
            .setEpoch(session.epoch)
            .setSession(session.session)
            .setInventory(present)
            .build(),
        new SchedulerLink.Answer<>() {
          @Override
          public void ok(ReportInventoryResponse response) {
            session.reportingInventory = false;
            session.reportedInventory = present.getHash();
          }

          @Override
          public void failed(LinkFailure failure) {
            session.reportingInventory = false;
            log.warn("cannot report the inventory: {}", failure);
            if (open.filter(now -> now == session).isPresent()) {
              lose(failure);
            }
          }
        });
  }

  // ---- Downwards ----------------------------------------------------------------------------

  private void received(Open session, SessionResponse message) {
    if (message.getEpoch() != session.epoch || !message.getSession().equals(session.session)) {
      log.warn(
          "dropped a message of epoch {}, session {}: neither is mine",
          message.getEpoch(),
          message.getSession());
      return;
    }
    session.heardBootMillis = clock.bootMillis();
    switch (message.getPayloadCase()) {
      case HEARTBEAT_ACK -> acknowledged(session, message.getHeartbeatAck());
      case REPORT_ACK ->
          attempts.acknowledge(
              message.getReportAck().getAttempt(), message.getReportAck().getVersion());
      case COMMAND -> command(session, message.getCommand());
      case PAYLOAD_NOT_SET -> log.warn("dropped a message of a kind that this agent does not know");
    }
  }

  private void acknowledged(Open session, HeartbeatAck ack) {
    backoff.reset();
    if (ack.getSentMonotonicMs() > session.lastHeartbeatBootMillis) {
      log.warn("dropped the answer to a heartbeat that was never sent");
      return;
    }
    attempts.renewLeases(ack.getSentMonotonicMs());
    if (ack.getInventoryWanted()) {
      reportInventory(session);
    }
  }

  private void command(Open session, Command command) {
    if (command.getSeq() <= session.commandSeq) {
      log.debug("dropped command {}, which was obeyed before", command.getSeq());
      return;
    }
    session.commandSeq = command.getSeq();
    try {
      switch (command.getOperationCase()) {
        case START -> attempts.start(command.getStart(), session.epoch);
        case CHECKPOINT -> attempts.checkpoint(command.getCheckpoint());
        case STOP -> attempts.stop(command.getStop());
        case FETCH_LOGS -> output.push(command.getFetchLogs());
        case OPERATION_NOT_SET ->
            log.warn("command {} is of a kind that this agent does not know", command.getSeq());
      }
    } catch (UncheckedIOException e) {
      log.error("command {} was not wholly obeyed: {}", command.getSeq(), e.getMessage());
    }
    sendReports(session, clock.bootMillis());
  }

  private static long millis(Duration duration) {
    return duration.getSeconds() * 1_000 + duration.getNanos() / 1_000_000;
  }
}
