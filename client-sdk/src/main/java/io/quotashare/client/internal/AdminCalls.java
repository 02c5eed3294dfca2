package io.quotashare.client.internal;

import static io.quotashare.client.internal.Rpc.GET;
import static io.quotashare.client.internal.Rpc.LIST;

import io.quotashare.client.ResourceNames;
import io.quotashare.client.SchedulerStatus;
import io.quotashare.proto.admin.v1.AdminServiceGrpc;
import io.quotashare.proto.admin.v1.CordonNodeRequest;
import io.quotashare.proto.admin.v1.DrainNodeRequest;
import io.quotashare.proto.admin.v1.FenceNodeRequest;
import io.quotashare.proto.admin.v1.GetSchedulerStatusRequest;
import io.quotashare.proto.admin.v1.UncordonNodeRequest;
import java.util.concurrent.CompletableFuture;

/** The calls of the admin service, in the types of the client. */
public final class AdminCalls {
  private final Rpc rpc;

  /** Calls over this connection. */
  public AdminCalls(Rpc rpc) {
    this.rpc = rpc;
  }

  /** Places nothing new on the node. */
  public CompletableFuture<Void> cordon(String node) {
    CordonNodeRequest request =
        CordonNodeRequest.newBuilder().setName(ResourceNames.node(node)).build();
    return rpc.call(AdminServiceGrpc.getCordonNodeMethod(), request, LIST, response -> null);
  }

  /** Ends cordoning or draining. */
  public CompletableFuture<Void> uncordon(String node) {
    UncordonNodeRequest request =
        UncordonNodeRequest.newBuilder().setName(ResourceNames.node(node)).build();
    return rpc.call(AdminServiceGrpc.getUncordonNodeMethod(), request, LIST, response -> null);
  }

  /** Moves the attempts of the node elsewhere. */
  public CompletableFuture<Void> drain(String node) {
    DrainNodeRequest request =
        DrainNodeRequest.newBuilder().setName(ResourceNames.node(node)).build();
    return rpc.call(AdminServiceGrpc.getDrainNodeMethod(), request, LIST, response -> null);
  }

  /** Declares that nothing runs on the silent node any more. */
  public CompletableFuture<Void> fence(String node) {
    FenceNodeRequest request =
        FenceNodeRequest.newBuilder().setName(ResourceNames.node(node)).build();
    return rpc.call(AdminServiceGrpc.getFenceNodeMethod(), request, LIST, response -> null);
  }

  /** Who leads, since when, and how much there is. */
  public CompletableFuture<SchedulerStatus> status() {
    return rpc.call(
        AdminServiceGrpc.getGetSchedulerStatusMethod(),
        GetSchedulerStatusRequest.getDefaultInstance(),
        GET,
        response ->
            new SchedulerStatus(
                response.getVersion(),
                response.getEpoch(),
                response.getLeadingSeconds(),
                response.getLiveJobs(),
                response.getConnectedAgents()));
  }
}
