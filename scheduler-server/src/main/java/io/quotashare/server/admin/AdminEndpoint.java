package io.quotashare.server.admin;

import static java.util.Objects.requireNonNull;

import io.grpc.stub.StreamObserver;
import io.quotashare.core.RejectedException;
import io.quotashare.core.model.Node;
import io.quotashare.proto.admin.v1.AdminServiceGrpc;
import io.quotashare.proto.admin.v1.CordonNodeRequest;
import io.quotashare.proto.admin.v1.CordonNodeResponse;
import io.quotashare.proto.admin.v1.DrainNodeRequest;
import io.quotashare.proto.admin.v1.DrainNodeResponse;
import io.quotashare.proto.admin.v1.FenceNodeRequest;
import io.quotashare.proto.admin.v1.FenceNodeResponse;
import io.quotashare.proto.admin.v1.GetSchedulerStatusRequest;
import io.quotashare.proto.admin.v1.GetSchedulerStatusResponse;
import io.quotashare.proto.admin.v1.UncordonNodeRequest;
import io.quotashare.proto.admin.v1.UncordonNodeResponse;
import io.quotashare.server.agents.AgentSessions;
import io.quotashare.server.agents.NodeLeases;
import io.quotashare.server.config.Version;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.engine.EngineClock;
import io.quotashare.server.engine.Step;
import io.quotashare.server.grpc.Callers;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.grpc.Unary;
import io.quotashare.server.store.AuditEvent;
import jakarta.inject.Inject;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** The service for operators. */
public final class AdminEndpoint extends AdminServiceGrpc.AdminServiceImplBase {
  private final Engine engine;
  private final EngineClock clock;
  private final NodeLeases leases;
  private final AgentSessions sessions;
  private final long beganMillis;

  @Inject
  public AdminEndpoint(
      Engine engine, EngineClock clock, NodeLeases leases, AgentSessions sessions) {
    this.engine = requireNonNull(engine, "engine is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.leases = requireNonNull(leases, "leases is null");
    this.sessions = requireNonNull(sessions, "sessions is null");
    this.beganMillis = clock.nowMillis();
  }

  @Override
  public void cordonNode(CordonNodeRequest request, StreamObserver<CordonNodeResponse> observer) {
    Unary.later(
        observer,
        () ->
            order("CORDON_NODE", request.getName(), Node.Order.CORDONED)
                .thenApply(done -> CordonNodeResponse.getDefaultInstance()));
  }

  @Override
  public void uncordonNode(
      UncordonNodeRequest request, StreamObserver<UncordonNodeResponse> observer) {
    Unary.later(
        observer,
        () ->
            order("UNCORDON_NODE", request.getName(), Node.Order.OPEN)
                .thenApply(done -> UncordonNodeResponse.getDefaultInstance()));
  }

  @Override
  public void drainNode(DrainNodeRequest request, StreamObserver<DrainNodeResponse> observer) {
    Unary.later(
        observer,
        () ->
            order("DRAIN_NODE", request.getName(), Node.Order.DRAINING)
                .thenApply(done -> DrainNodeResponse.getDefaultInstance()));
  }

  @Override
  public void fenceNode(FenceNodeRequest request, StreamObserver<FenceNodeResponse> observer) {
    Unary.later(
        observer,
        () ->
            change("FENCE_NODE", request.getName(), this::fence)
                .thenApply(done -> FenceNodeResponse.getDefaultInstance()));
  }

  private void fence(Step step, String node) {
    if (!leases.isSilent(node, step.nowNanos())) {
      throw new RejectedException(
          RejectedException.Kind.FAILED_PRECONDITION,
          "NODE_IS_HEARD",
          "name",
          "node " + node + " is heard (expected: a silent node): stop its agent first");
    }
    leases.fence(node, step);
  }

  private CompletableFuture<Boolean> order(String action, String name, Node.Order order) {
    return change(
        action, name, (step, node) -> step.scheduler().orderNode(node, order, step.nowMillis()));
  }

  private CompletableFuture<Boolean> change(
      String action, String name, BiConsumer<Step, String> how) {
    String node = Names.node("name", name);
    String principal = Callers.principal();
    return engine.call(
        step -> {
          Node before = require(step, node);
          how.accept(step, node);
          step.audit(
              new AuditEvent(
                  principal, action, name, "", before.order() + ", " + before.liveness(), "", ""));
          return decided -> true;
        });
  }

  private static Node require(Step step, String node) {
    return step.scheduler().nodes().stream()
        .filter(n -> n.name().equals(node))
        .findFirst()
        .orElseThrow(
            () ->
                new RejectedException(
                    RejectedException.Kind.NOT_FOUND,
                    "NOT_FOUND",
                    "name",
                    "node " + node + " does not exist"));
  }

  @Override
  public void getSchedulerStatus(
      GetSchedulerStatusRequest request, StreamObserver<GetSchedulerStatusResponse> observer) {
    Unary.later(
        observer,
        () ->
            engine.call(
                step ->
                    decided ->
                        GetSchedulerStatusResponse.newBuilder()
                            .setVersion(Version.current())
                            .setEpoch(engine.epoch())
                            .setLeadingSeconds((clock.nowMillis() - beganMillis) / 1000)
                            .setLiveJobs(
                                decided.scheduler().jobs().stream()
                                    .filter(job -> !job.state().isTerminal())
                                    .count())
                            .setConnectedAgents(sessions.connected())
                            .build()));
  }
}
