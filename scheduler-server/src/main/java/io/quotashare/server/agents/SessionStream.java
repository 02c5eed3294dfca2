package io.quotashare.server.agents;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.Heartbeat;
import io.quotashare.proto.agent.v1.HeartbeatAck;
import io.quotashare.proto.agent.v1.ReportAck;
import io.quotashare.proto.agent.v1.SessionRequest;
import io.quotashare.proto.agent.v1.SessionResponse;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.engine.EngineClock;
import io.quotashare.server.grpc.Errors;
import io.quotashare.server.grpc.FieldChecks;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream of an agent. Heartbeats are answered at once, without the store (reliability D6);
 * reports are acknowledged when they are durable, and repeated by the agent until then.
 */
final class SessionStream implements StreamObserver<SessionRequest> {
  private static final Logger log = LoggerFactory.getLogger(SessionStream.class);

  private final AgentSessions sessions;
  private final Fleet fleet;
  private final Engine engine;
  private final EngineClock clock;
  private final int maxReports;
  private final Outbox outbox;
  private @Nullable AgentSession session;

  SessionStream(
      AgentSessions sessions,
      Fleet fleet,
      Engine engine,
      EngineClock clock,
      int maxReports,
      Outbox outbox) {
    this.sessions = sessions;
    this.fleet = fleet;
    this.engine = engine;
    this.clock = clock;
    this.maxReports = maxReports;
    this.outbox = outbox;
  }

  @Override
  public void onNext(SessionRequest request) {
    try {
      // What still comes on a stream that was closed here is not a sign of life.
      if (outbox.isOpen()) {
        receive(request);
      }
    } catch (StatusRuntimeException e) {
      outbox.close(e);
    }
  }

  private void receive(SessionRequest request) {
    AgentSession current =
        sessions.require(engine.epoch(), request.getEpoch(), request.getSession());
    if (session == null) {
      session = current;
      current.attach(outbox, AgentSessions.replaced(current.node()));
      fleet.commands().opened(current.node());
    } else if (session != current) {
      throw Errors.invalid("session", "another one than this stream began with");
    }
    if (!current.accept(request.getSeq())) {
      return;
    }
    if (!fleet.leases().heard(current.lease(), clock.monotonicNanos())) {
      sessions.end(current);
      throw AgentSessions.leaseOver();
    }
    switch (request.getPayloadCase()) {
      case HEARTBEAT -> heartbeat(current, request.getHeartbeat());
      case ATTEMPT_STATUS -> report(current, request.getAttemptStatus(), "attempt_status", true);
      case PAYLOAD_NOT_SET ->
          throw Errors.invalid("payload", "unset (expected: one of its fields)");
    }
  }

  private void heartbeat(AgentSession current, Heartbeat heartbeat) {
    FieldChecks checks = new FieldChecks();
    checks.check(
        heartbeat.getAttemptsCount() <= RegistrationReader.MAX_ATTEMPTS,
        "heartbeat.attempts",
        heartbeat.getAttemptsCount() + " entries",
        "at most " + RegistrationReader.MAX_ATTEMPTS);
    checks.throwIfAny();
    boolean wanted = current.wantsInventory(heartbeat.getInventoryHash());
    current.send(
        () ->
            SessionResponse.newBuilder()
                .setHeartbeatAck(
                    HeartbeatAck.newBuilder()
                        .setSentMonotonicMs(heartbeat.getSentMonotonicMs())
                        .setInventoryWanted(wanted)));
    for (int i = 0; i < heartbeat.getAttemptsCount(); i++) {
      AttemptStatus status = heartbeat.getAttempts(i);
      if (current.isNews(status.getAttempt(), status.getVersion())) {
        report(current, status, "heartbeat.attempts[" + i + "]", false);
      }
    }
  }

  /** Passes a report on, unless too many wait: then the agent repeats it later. */
  private void report(
      AgentSession current, AttemptStatus status, String field, boolean acknowledge) {
    FieldChecks checks = new FieldChecks();
    Optional<AttemptKey> key = ReportReader.check(status, checks.in(field));
    checks.throwIfAny();
    if (current.reportsInFlight().incrementAndGet() > maxReports) {
      current.reportsInFlight().decrementAndGet();
      return;
    }
    var unused =
        engine
            .report(
                new ReportCall(
                    current.node(),
                    key.orElseThrow(),
                    status,
                    () -> current.isFirstSightOf(status.getAttempt())))
            .whenComplete(
                (known, failure) -> {
                  current.reportsInFlight().decrementAndGet();
                  if (failure != null) {
                    log.debug("a report of node {} is not durable", current.node(), failure);
                  } else {
                    reported(current, status, known, acknowledge);
                  }
                });
  }

  private static void reported(
      AgentSession current, AttemptStatus status, KnownAttempts known, boolean acknowledge) {
    if (known == KnownAttempts.LIVE && status.getQuarantinedUuidsCount() > 0) {
      current.wantInventory();
    }
    if (acknowledge && known != KnownAttempts.UNKNOWN) {
      current.send(
          () ->
              SessionResponse.newBuilder()
                  .setReportAck(
                      ReportAck.newBuilder()
                          .setAttempt(status.getAttempt())
                          .setVersion(status.getVersion())));
    }
  }

  @Override
  public void onError(Throwable cause) {
    outbox.ended();
  }

  @Override
  public void onCompleted() {
    outbox.complete();
  }
}
