package io.quotashare.client.internal;

import static io.quotashare.client.internal.Rpc.GET;
import static io.quotashare.client.internal.Rpc.LIST;
import static io.quotashare.client.internal.Rpc.VERIFY;

import io.quotashare.client.AuditEvent;
import io.quotashare.client.AuditFilter;
import io.quotashare.client.Page;
import io.quotashare.client.ResourceNames;
import io.quotashare.client.SchedulerStatus;
import io.quotashare.client.StateVerification;
import io.quotashare.proto.admin.v1.AdminServiceGrpc;
import io.quotashare.proto.admin.v1.CordonNodeRequest;
import io.quotashare.proto.admin.v1.DrainNodeRequest;
import io.quotashare.proto.admin.v1.FenceNodeRequest;
import io.quotashare.proto.admin.v1.GetSchedulerStatusRequest;
import io.quotashare.proto.admin.v1.ListAuditEventsRequest;
import io.quotashare.proto.admin.v1.PauseSchedulingRequest;
import io.quotashare.proto.admin.v1.ResumeSchedulingRequest;
import io.quotashare.proto.admin.v1.UncordonNodeRequest;
import io.quotashare.proto.admin.v1.VerifyStateRequest;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The calls of the admin service, in the types of the client. */
public final class AdminCalls {
  private static final int PAGE_SIZE = 500;

  private final Rpc rpc;

  /** Calls over this connection. */
  public AdminCalls(Rpc rpc) {
    this.rpc = rpc;
  }

  /** Places nothing new on the node. */
  public CompletableFuture<Void> cordon(String node, @Nullable UUID requestId) {
    CordonNodeRequest request =
        CordonNodeRequest.newBuilder()
            .setName(ResourceNames.node(node))
            .setRequestId(RequestIds.orNew(requestId))
            .build();
    return rpc.call(AdminServiceGrpc.getCordonNodeMethod(), request, LIST, response -> null);
  }

  /** Ends cordoning or draining. */
  public CompletableFuture<Void> uncordon(String node, @Nullable UUID requestId) {
    UncordonNodeRequest request =
        UncordonNodeRequest.newBuilder()
            .setName(ResourceNames.node(node))
            .setRequestId(RequestIds.orNew(requestId))
            .build();
    return rpc.call(AdminServiceGrpc.getUncordonNodeMethod(), request, LIST, response -> null);
  }

  /** Moves the attempts of the node elsewhere. */
  public CompletableFuture<Void> drain(String node, @Nullable UUID requestId) {
    DrainNodeRequest request =
        DrainNodeRequest.newBuilder()
            .setName(ResourceNames.node(node))
            .setRequestId(RequestIds.orNew(requestId))
            .build();
    return rpc.call(AdminServiceGrpc.getDrainNodeMethod(), request, LIST, response -> null);
  }

  /** Declares that nothing runs on the silent node any more. */
  public CompletableFuture<Void> fence(String node, @Nullable UUID requestId) {
    FenceNodeRequest request =
        FenceNodeRequest.newBuilder()
            .setName(ResourceNames.node(node))
            .setRequestId(RequestIds.orNew(requestId))
            .build();
    return rpc.call(AdminServiceGrpc.getFenceNodeMethod(), request, LIST, response -> null);
  }

  /** Starts and stops nothing from now on. */
  public CompletableFuture<Void> pause(String reason, @Nullable UUID requestId) {
    PauseSchedulingRequest request =
        PauseSchedulingRequest.newBuilder()
            .setReason(reason)
            .setRequestId(RequestIds.orNew(requestId))
            .build();
    return rpc.call(AdminServiceGrpc.getPauseSchedulingMethod(), request, LIST, response -> null);
  }

  /** Ends a pause. */
  public CompletableFuture<Void> resume(@Nullable UUID requestId) {
    ResumeSchedulingRequest request =
        ResumeSchedulingRequest.newBuilder().setRequestId(RequestIds.orNew(requestId)).build();
    return rpc.call(AdminServiceGrpc.getResumeSchedulingMethod(), request, LIST, response -> null);
  }

  /** Checks the whole durable state. */
  public CompletableFuture<StateVerification> verify() {
    return rpc.call(
        AdminServiceGrpc.getVerifyStateMethod(),
        VerifyStateRequest.getDefaultInstance(),
        VERIFY,
        AdminProtos::fromProto);
  }

  /** One page of audit events. */
  public CompletableFuture<Page<AuditEvent>> auditEvents(AuditFilter filter, String pageToken) {
    ListAuditEventsRequest.Builder request =
        ListAuditEventsRequest.newBuilder()
            .setResource(filter.resource())
            .setPageSize(PAGE_SIZE)
            .setPageToken(pageToken);
    Opt.set(filter.since(), Times::timestamp, request::setSince);
    return rpc.call(
        AdminServiceGrpc.getListAuditEventsMethod(),
        request.build(),
        LIST,
        response ->
            new Page<>(
                response.getEventsList().stream().map(AdminProtos::fromProto).toList(),
                response.getNextPageToken()));
  }

  /** Who leads, since when, and how much there is. */
  public CompletableFuture<SchedulerStatus> status() {
    return rpc.call(
        AdminServiceGrpc.getGetSchedulerStatusMethod(),
        GetSchedulerStatusRequest.getDefaultInstance(),
        GET,
        AdminProtos::fromProto);
  }
}
