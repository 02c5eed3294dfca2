package io.quotashare.server.admin;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.grpc.stub.StreamObserver;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Pause;
import io.quotashare.proto.admin.v1.AdminServiceGrpc;
import io.quotashare.proto.admin.v1.CordonNodeRequest;
import io.quotashare.proto.admin.v1.CordonNodeResponse;
import io.quotashare.proto.admin.v1.DrainNodeRequest;
import io.quotashare.proto.admin.v1.DrainNodeResponse;
import io.quotashare.proto.admin.v1.FenceNodeRequest;
import io.quotashare.proto.admin.v1.FenceNodeResponse;
import io.quotashare.proto.admin.v1.GetSchedulerStatusRequest;
import io.quotashare.proto.admin.v1.GetSchedulerStatusResponse;
import io.quotashare.proto.admin.v1.ListAuditEventsRequest;
import io.quotashare.proto.admin.v1.ListAuditEventsResponse;
import io.quotashare.proto.admin.v1.PauseSchedulingRequest;
import io.quotashare.proto.admin.v1.PauseSchedulingResponse;
import io.quotashare.proto.admin.v1.ResumeSchedulingRequest;
import io.quotashare.proto.admin.v1.ResumeSchedulingResponse;
import io.quotashare.proto.admin.v1.UncordonNodeRequest;
import io.quotashare.proto.admin.v1.UncordonNodeResponse;
import io.quotashare.proto.admin.v1.VerifyStateRequest;
import io.quotashare.proto.admin.v1.VerifyStateResponse;
import io.quotashare.server.admin.AdminCalls.Asked;
import io.quotashare.server.agents.AgentSessions;
import io.quotashare.server.agents.NodeLeases;
import io.quotashare.server.config.Version;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.engine.EngineCall;
import io.quotashare.server.engine.EngineClock;
import io.quotashare.server.engine.Step;
import io.quotashare.server.grpc.Callers;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.grpc.Requests;
import io.quotashare.server.grpc.Unary;
import io.quotashare.server.store.StateStore;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The service for operators. */
public final class AdminEndpoint extends AdminServiceGrpc.AdminServiceImplBase {
  private static final int MAX_REASON_LENGTH = 512;

  private final Engine engine;
  private final EngineClock clock;
  private final AgentSessions sessions;
  private final StateStore store;
  private final StateCheck stateCheck;
  private final AdminCalls calls;
  private final long beganMillis;

  @Inject
  AdminEndpoint(
      Engine engine,
      EngineClock clock,
      NodeLeases leases,
      AgentSessions sessions,
      StateStore store,
      StateCheck stateCheck) {
    this.engine = requireNonNull(engine, "engine is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.sessions = requireNonNull(sessions, "sessions is null");
    this.store = requireNonNull(store, "store is null");
    this.stateCheck = requireNonNull(stateCheck, "stateCheck is null");
    this.calls = new AdminCalls(leases);
    this.beganMillis = clock.nowMillis();
  }

  @Override
  public void cordonNode(CordonNodeRequest request, StreamObserver<CordonNodeResponse> observer) {
    change(
        observer,
        "CordonNode",
        request,
        request.getRequestId(),
        CordonNodeResponse.parser(),
        () ->
            calls.order(
                asked("CORDON_NODE", request.getRequestId()),
                Names.node("name", request.getName()),
                Node.Order.CORDONED,
                CordonNodeResponse.getDefaultInstance()));
  }

  @Override
  public void uncordonNode(
      UncordonNodeRequest request, StreamObserver<UncordonNodeResponse> observer) {
    change(
        observer,
        "UncordonNode",
        request,
        request.getRequestId(),
        UncordonNodeResponse.parser(),
        () ->
            calls.order(
                asked("UNCORDON_NODE", request.getRequestId()),
                Names.node("name", request.getName()),
                Node.Order.OPEN,
                UncordonNodeResponse.getDefaultInstance()));
  }

  @Override
  public void drainNode(DrainNodeRequest request, StreamObserver<DrainNodeResponse> observer) {
    change(
        observer,
        "DrainNode",
        request,
        request.getRequestId(),
        DrainNodeResponse.parser(),
        () ->
            calls.order(
                asked("DRAIN_NODE", request.getRequestId()),
                Names.node("name", request.getName()),
                Node.Order.DRAINING,
                DrainNodeResponse.getDefaultInstance()));
  }

  @Override
  public void fenceNode(FenceNodeRequest request, StreamObserver<FenceNodeResponse> observer) {
    change(
        observer,
        "FenceNode",
        request,
        request.getRequestId(),
        FenceNodeResponse.parser(),
        () ->
            calls.fence(
                asked("FENCE_NODE", request.getRequestId()),
                Names.node("name", request.getName()),
                FenceNodeResponse.getDefaultInstance()));
  }

  @Override
  public void pauseScheduling(
      PauseSchedulingRequest request, StreamObserver<PauseSchedulingResponse> observer) {
    change(
        observer,
        "PauseScheduling",
        request,
        request.getRequestId(),
        PauseSchedulingResponse.parser(),
        () -> {
          FieldChecks checks = new FieldChecks();
          checks.checkLine("reason", request.getReason(), MAX_REASON_LENGTH);
          checks.throwIfAny();
          return calls.pause(
              asked("PAUSE_SCHEDULING", request.getRequestId()),
              request.getReason(),
              PauseSchedulingResponse.getDefaultInstance());
        });
  }

  @Override
  public void resumeScheduling(
      ResumeSchedulingRequest request, StreamObserver<ResumeSchedulingResponse> observer) {
    change(
        observer,
        "ResumeScheduling",
        request,
        request.getRequestId(),
        ResumeSchedulingResponse.parser(),
        () ->
            calls.resume(
                asked("RESUME_SCHEDULING", request.getRequestId()),
                ResumeSchedulingResponse.getDefaultInstance()));
  }

  /** What a request asks the engine; throws what is wrong with its fields. */
  private interface Reader<T> {
    EngineCall<T> read();
  }

  private <T extends MessageLite> void change(
      StreamObserver<T> observer,
      String method,
      MessageLite request,
      String requestId,
      Parser<T> parser,
      Reader<T> reader) {
    Unary.later(
        observer,
        () ->
            engine.call(
                reader.read(),
                Requests.tag(Callers.principal(), requestId, method, request, parser)));
  }

  private static Asked asked(String action, String requestId) {
    return new Asked(Callers.principal(), action, requestId);
  }

  @Override
  public void verifyState(
      VerifyStateRequest request, StreamObserver<VerifyStateResponse> observer) {
    Unary.now(observer, stateCheck::verify);
  }

  @Override
  public void listAuditEvents(
      ListAuditEventsRequest request, StreamObserver<ListAuditEventsResponse> observer) {
    Unary.now(observer, () -> AuditLister.list(store, request));
  }

  @Override
  public void getSchedulerStatus(
      GetSchedulerStatusRequest request, StreamObserver<GetSchedulerStatusResponse> observer) {
    Unary.later(observer, this::status);
  }

  private CompletableFuture<GetSchedulerStatusResponse> status() {
    return engine.call(step -> this::status);
  }

  private GetSchedulerStatusResponse status(Step decided) {
    Optional<Pause> pause = decided.scheduler().paused();
    return GetSchedulerStatusResponse.newBuilder()
        .setVersion(Version.current())
        .setEpoch(engine.epoch())
        .setLeadingSeconds((clock.nowMillis() - beganMillis) / 1000)
        .setLiveJobs(decided.scheduler().unfinishedJobs())
        .setConnectedAgents(sessions.connected())
        .setPaused(pause.isPresent())
        .setPauseReason(pause.map(Pause::reason).orElse(""))
        .build();
  }
}
