package io.quotashare.server.agents;

import static java.util.Objects.requireNonNull;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.quotashare.core.NodeReport;
import io.quotashare.proto.agent.v1.AgentServiceGrpc;
import io.quotashare.proto.agent.v1.PushLogsRequest;
import io.quotashare.proto.agent.v1.PushLogsResponse;
import io.quotashare.proto.agent.v1.RegisterRequest;
import io.quotashare.proto.agent.v1.RegisterResponse;
import io.quotashare.proto.agent.v1.ReportInventoryRequest;
import io.quotashare.proto.agent.v1.ReportInventoryResponse;
import io.quotashare.proto.agent.v1.SessionRequest;
import io.quotashare.proto.agent.v1.SessionResponse;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.engine.EngineClock;
import io.quotashare.server.grpc.Times;
import io.quotashare.server.grpc.Unary;
import io.quotashare.server.logs.LogRelay;
import jakarta.inject.Inject;

/** The service for agents. */
public final class AgentEndpoint extends AgentServiceGrpc.AgentServiceImplBase {
  private final Engine engine;
  private final EngineClock clock;
  private final AgentSessions sessions;
  private final Fleet fleet;
  private final AgentSettings settings;
  private final LeasePolicy leases;
  private final SessionIds ids;
  private final LogRelay logs;

  @Inject
  public AgentEndpoint(
      Engine engine,
      EngineClock clock,
      AgentSessions sessions,
      Fleet fleet,
      AgentSettings settings,
      LeasePolicy leases,
      SessionIds ids,
      LogRelay logs) {
    this.engine = requireNonNull(engine, "engine is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.sessions = requireNonNull(sessions, "sessions is null");
    this.fleet = requireNonNull(fleet, "fleet is null");
    this.settings = requireNonNull(settings, "settings is null");
    this.leases = requireNonNull(leases, "leases is null");
    this.ids = requireNonNull(ids, "ids is null");
    this.logs = requireNonNull(logs, "logs is null");
  }

  @Override
  public void register(RegisterRequest request, StreamObserver<RegisterResponse> observer) {
    Unary.later(
        observer,
        () -> {
          NodeReport report = RegistrationReader.read(request);
          return engine
              .report(new RegisterCall(report, request.getAttemptsList(), fleet))
              .thenApply(registered -> welcome(report, registered));
        });
  }

  private RegisterResponse welcome(NodeReport report, RegisterCall.Registered registered) {
    AgentSession session =
        new AgentSession(
            report.name(),
            ids.next(),
            engine.epoch(),
            registered.number(),
            registered.lease(),
            report);
    if (!sessions.install(session)) {
      throw AgentSessions.replaced(report.name());
    }
    return RegisterResponse.newBuilder()
        .setProtocolVersion(RegistrationReader.PROTOCOL_VERSION)
        .setEpoch(engine.epoch())
        .setSession(session.id())
        .setHeartbeatInterval(Times.duration(settings.heartbeatMillis()))
        .setLostAfter(Times.duration(leases.lostAfterMillis()))
        .addAllEndedAttempts(registered.ended())
        .build();
  }

  @Override
  public StreamObserver<SessionRequest> session(StreamObserver<SessionResponse> observer) {
    ServerCallStreamObserver<SessionResponse> call =
        (ServerCallStreamObserver<SessionResponse>) observer;
    Outbox outbox = new Outbox(new GrpcLink(call), settings.maxOutbound());
    call.setOnReadyHandler(outbox::drain);
    call.setOnCancelHandler(outbox::ended);
    return new SessionStream(sessions, fleet, engine, clock, settings.maxReports(), outbox);
  }

  @Override
  public void reportInventory(
      ReportInventoryRequest request, StreamObserver<ReportInventoryResponse> observer) {
    Unary.later(
        observer,
        () -> {
          AgentSession session =
              sessions.require(engine.epoch(), request.getEpoch(), request.getSession());
          NodeReport report =
              RegistrationReader.withInventory(session.report(), request.getInventory());
          return engine
              .report(
                  step -> {
                    fleet.devices().check(report.name(), report.devices());
                    step.scheduler().updateNode(report, step.nowMillis());
                    fleet.devices().own(report.name(), report.devices());
                    return decided -> report;
                  })
              .thenApply(
                  durable -> {
                    session.report(durable);
                    return ReportInventoryResponse.getDefaultInstance();
                  });
        });
  }

  @Override
  public StreamObserver<PushLogsRequest> pushLogs(StreamObserver<PushLogsResponse> observer) {
    return logs.push((ServerCallStreamObserver<PushLogsResponse>) observer);
  }
}
