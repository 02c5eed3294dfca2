package io.quotashare.agent.session;

import io.quotashare.agent.attempt.Attempts;
import io.quotashare.agent.inventory.InventorySource;
import io.quotashare.agent.time.AgentClock;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.Command;
import io.quotashare.proto.agent.v1.Heartbeat;
import io.quotashare.proto.agent.v1.HeartbeatAck;
import io.quotashare.proto.agent.v1.Inventory;
import io.quotashare.proto.agent.v1.ReportInventoryRequest;
import io.quotashare.proto.agent.v1.ReportInventoryResponse;
import io.quotashare.proto.agent.v1.SessionRequest;
import io.quotashare.proto.agent.v1.SessionResponse;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One registration and its stream: heartbeats and reports upwards, acknowledgements and commands
 * downwards. Used by the agent's thread alone.
 */
final class OpenSession {
  /** When a report that was not acknowledged is sent again. */
  static final long REPEAT_MILLIS = 5_000;

  private static final long SILENCE_MIN_MILLIS = 10_000;
  private static final int SILENCE_HEARTBEATS = 3;
  private static final Logger log = LoggerFactory.getLogger(OpenSession.class);

  /**
   * What a session works with.
   *
   * @param heard called when a heartbeat is answered
   */
  record Parts(
      SchedulerLink link,
      Attempts attempts,
      InventorySource inventory,
      OutputPusher output,
      AgentClock clock,
      Runnable heard) {}

  private record Sent(long version, long atBootMillis) {}

  private final Parts parts;
  private final long epoch;
  private final String session;
  private final long heartbeatMillis;
  private final SchedulerLink.SessionStream stream;
  private final Map<String, Sent> sent = new HashMap<>();
  private long seq;
  private long commandSeq;
  private long nextHeartbeatBootMillis;
  private long lastHeartbeatBootMillis;
  private long heardBootMillis;
  private String reportedInventory;
  private boolean reportingInventory;
  private Optional<LinkFailure> failure = Optional.empty();

  /**
   * A session that was just opened.
   *
   * @param reportedInventory hash of the inventory that the scheduler has
   */
  OpenSession(
      Parts parts,
      long epoch,
      String session,
      long heartbeatMillis,
      SchedulerLink.SessionStream stream,
      String reportedInventory) {
    this.parts = parts;
    this.epoch = epoch;
    this.session = session;
    this.heartbeatMillis = heartbeatMillis;
    this.stream = stream;
    this.reportedInventory = reportedInventory;
    this.heardBootMillis = parts.clock().bootMillis();
    this.nextHeartbeatBootMillis = heardBootMillis;
  }

  /** Sends what is due. Gives why the session is of no use any more, if it is not. */
  Optional<LinkFailure> tick() {
    long now = parts.clock().bootMillis();
    long silence = Math.max(SILENCE_MIN_MILLIS, SILENCE_HEARTBEATS * heartbeatMillis);
    if (now - heardBootMillis >= silence) {
      failure =
          Optional.of(
              new LinkFailure("SILENCE", "the scheduler has not answered for " + silence + " ms"));
    }
    // Nothing is queued for a scheduler that does not read: the silence ends the session.
    if (failure.isEmpty() && stream.isReady()) {
      sendReports(now);
      if (now >= nextHeartbeatBootMillis) {
        heartbeat(now);
      }
      if (!present().getHash().equals(reportedInventory)) {
        reportInventory();
      }
    }
    return failure;
  }

  void close() {
    stream.close();
  }

  // ---- Upwards ------------------------------------------------------------------------------

  private SessionRequest.Builder message() {
    return SessionRequest.newBuilder().setEpoch(epoch).setSession(session).setSeq(++seq);
  }

  private void sendReports(long now) {
    Map<String, Sent> waiting = new HashMap<>();
    for (AttemptStatus status : parts.attempts().unacknowledged()) {
      Sent last = sent.get(status.getAttempt());
      boolean due =
          last == null
              || last.version != status.getVersion()
              || now - last.atBootMillis >= REPEAT_MILLIS;
      if (due && stream.isReady()) {
        stream.send(message().setAttemptStatus(status).build());
        last = new Sent(status.getVersion(), now);
      }
      if (last != null) {
        waiting.put(status.getAttempt(), last);
      }
    }
    sent.clear();
    sent.putAll(waiting);
  }

  private void heartbeat(long now) {
    lastHeartbeatBootMillis = now;
    nextHeartbeatBootMillis = now + heartbeatMillis;
    stream.send(
        message()
            .setHeartbeat(
                Heartbeat.newBuilder()
                    .setSentMonotonicMs(now)
                    .setInventoryHash(reportedInventory)
                    .addAllAttempts(parts.attempts().running()))
            .build());
  }

  private Inventory present() {
    return ReportedInventory.of(parts.inventory().current(), parts.attempts().quarantined());
  }

  private void reportInventory() {
    if (reportingInventory) {
      return;
    }
    reportingInventory = true;
    Inventory present = present();
    parts
        .link()
        .reportInventory(
            ReportInventoryRequest.newBuilder()
                .setEpoch(epoch)
                .setSession(session)
                .setInventory(present)
                .build(),
            new SchedulerLink.Answer<>() {
              @Override
              public void ok(ReportInventoryResponse response) {
                reportingInventory = false;
                reportedInventory = present.getHash();
              }

              @Override
              public void failed(LinkFailure why) {
                failure =
                    Optional.of(
                        new LinkFailure(
                            why.code(), "the inventory was not taken: " + why.message()));
              }
            });
  }

  // ---- Downwards ----------------------------------------------------------------------------

  void received(SessionResponse message) {
    if (message.getEpoch() != epoch || !message.getSession().equals(session)) {
      log.warn(
          "dropped a message of epoch {}, session {}: it is not for this registration",
          message.getEpoch(),
          message.getSession());
      return;
    }
    heardBootMillis = parts.clock().bootMillis();
    switch (message.getPayloadCase()) {
      case HEARTBEAT_ACK -> acknowledged(message.getHeartbeatAck());
      case REPORT_ACK ->
          parts
              .attempts()
              .acknowledge(
                  message.getReportAck().getAttempt(), message.getReportAck().getVersion());
      case COMMAND -> command(message.getCommand());
      case PAYLOAD_NOT_SET -> log.warn("dropped a message of a kind that this agent does not know");
    }
  }

  private void acknowledged(HeartbeatAck ack) {
    parts.heard().run();
    if (ack.getSentMonotonicMs() > lastHeartbeatBootMillis) {
      log.warn("dropped the answer to a heartbeat that was never sent");
      return;
    }
    parts.attempts().renewLeases(ack.getSentMonotonicMs());
    if (ack.getInventoryWanted()) {
      reportInventory();
    }
  }

  private void command(Command command) {
    if (command.getSeq() <= commandSeq) {
      log.debug("dropped command {}, which was obeyed before", command.getSeq());
      return;
    }
    commandSeq = command.getSeq();
    try {
      switch (command.getOperationCase()) {
        case START -> parts.attempts().start(command.getStart(), epoch);
        case CHECKPOINT -> parts.attempts().checkpoint(command.getCheckpoint());
        case STOP -> parts.attempts().stop(command.getStop());
        case FETCH_LOGS -> parts.output().push(command.getFetchLogs());
        case OPERATION_NOT_SET ->
            log.warn("command {} is of a kind that this agent does not know", command.getSeq());
      }
    } catch (UncheckedIOException e) {
      log.error("command {} was not wholly obeyed: {}", command.getSeq(), e.getMessage());
    }
    sendReports(parts.clock().bootMillis());
  }
}
