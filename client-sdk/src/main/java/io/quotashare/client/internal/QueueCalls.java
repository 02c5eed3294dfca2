package io.quotashare.client.internal;

import static io.quotashare.client.internal.Rpc.GET;
import static io.quotashare.client.internal.Rpc.LIST;

import io.quotashare.client.Loan;
import io.quotashare.client.Node;
import io.quotashare.client.Page;
import io.quotashare.client.PolicyQueue;
import io.quotashare.client.PolicyResult;
import io.quotashare.client.Preemption;
import io.quotashare.client.Queue;
import io.quotashare.client.QueueSnapshot;
import io.quotashare.client.ResourceNames;
import io.quotashare.client.ShareStatus;
import io.quotashare.client.UsageReport;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.GetNodeRequest;
import io.quotashare.proto.v1.GetQueueRequest;
import io.quotashare.proto.v1.GetQueueSnapshotRequest;
import io.quotashare.proto.v1.GetQuotaShareRequest;
import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.proto.v1.ListLoansRequest;
import io.quotashare.proto.v1.ListNodesRequest;
import io.quotashare.proto.v1.ListPreemptionsRequest;
import io.quotashare.proto.v1.ListQueuesRequest;
import io.quotashare.proto.v1.ListQuotaSharesRequest;
import io.quotashare.proto.v1.QueueServiceGrpc;
import io.quotashare.proto.v1.QuotaShareServiceGrpc;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The calls of the queue and quota-share services, in the types of the client. */
public final class QueueCalls {
  private static final int PAGE_SIZE = 1000;

  private final Rpc rpc;

  /** Calls over this connection. */
  public QueueCalls(Rpc rpc) {
    this.rpc = rpc;
  }

  /** One queue. */
  public CompletableFuture<Queue> queue(String id) {
    GetQueueRequest request = GetQueueRequest.newBuilder().setName(ResourceNames.queue(id)).build();
    return rpc.call(
        QueueServiceGrpc.getGetQueueMethod(),
        request,
        GET,
        response -> ShareProtos.fromProto(response.getQueue()));
  }

  /** One page of queues. */
  public CompletableFuture<Page<Queue>> queues(String pageToken) {
    ListQueuesRequest request =
        ListQueuesRequest.newBuilder().setPageSize(PAGE_SIZE).setPageToken(pageToken).build();
    return rpc.call(
        QueueServiceGrpc.getListQueuesMethod(),
        request,
        LIST,
        response ->
            new Page<>(
                response.getQueuesList().stream().map(ShareProtos::fromProto).toList(),
                response.getNextPageToken()));
  }

  /** A queue at one instant. */
  public CompletableFuture<QueueSnapshot> snapshot(String queue) {
    GetQueueSnapshotRequest request =
        GetQueueSnapshotRequest.newBuilder().setName(ResourceNames.queue(queue)).build();
    return rpc.call(
        QueueServiceGrpc.getGetQueueSnapshotMethod(), request, GET, QueueProtos::fromProto);
  }

  /** Where the device-seconds went. */
  public CompletableFuture<UsageReport> usageReport(String queue) {
    GetUsageReportRequest request =
        GetUsageReportRequest.newBuilder().setName(ResourceNames.queue(queue)).build();
    return rpc.call(
        QueueServiceGrpc.getGetUsageReportMethod(), request, GET, QueueProtos::fromProto);
  }

  /** One page of preemptions. */
  public CompletableFuture<Page<Preemption>> preemptions(
      String queue, String share, String pageToken) {
    ListPreemptionsRequest request =
        ListPreemptionsRequest.newBuilder()
            .setParent(ResourceNames.queue(queue))
            .setShare(share)
            .setPageSize(PAGE_SIZE)
            .setPageToken(pageToken)
            .build();
    return rpc.call(
        QueueServiceGrpc.getListPreemptionsMethod(),
        request,
        LIST,
        response ->
            new Page<>(
                response.getPreemptionsList().stream().map(QueueProtos::fromProto).toList(),
                response.getNextPageToken()));
  }

  /** One page of nodes. */
  public CompletableFuture<Page<Node>> nodes(String queue, String pageToken) {
    ListNodesRequest request =
        ListNodesRequest.newBuilder()
            .setQueue(queue)
            .setPageSize(PAGE_SIZE)
            .setPageToken(pageToken)
            .build();
    return rpc.call(
        QueueServiceGrpc.getListNodesMethod(),
        request,
        LIST,
        response ->
            new Page<>(
                response.getNodesList().stream().map(QueueProtos::fromProto).toList(),
                response.getNextPageToken()));
  }

  /** One node. */
  public CompletableFuture<Node> node(String id) {
    GetNodeRequest request = GetNodeRequest.newBuilder().setName(ResourceNames.node(id)).build();
    return rpc.call(
        QueueServiceGrpc.getGetNodeMethod(),
        request,
        GET,
        response -> QueueProtos.fromProto(response.getNode()));
  }

  /** One share. */
  public CompletableFuture<ShareStatus> share(String queue, String share) {
    GetQuotaShareRequest request =
        GetQuotaShareRequest.newBuilder().setName(ResourceNames.share(queue, share)).build();
    return rpc.call(
        QuotaShareServiceGrpc.getGetQuotaShareMethod(),
        request,
        GET,
        response -> ShareProtos.fromProto(response.getShare()));
  }

  /** One page of shares. */
  public CompletableFuture<Page<ShareStatus>> shares(String queue, String pageToken) {
    ListQuotaSharesRequest request =
        ListQuotaSharesRequest.newBuilder()
            .setParent(Parents.queueOrAll(queue))
            .setPageSize(PAGE_SIZE)
            .setPageToken(pageToken)
            .build();
    return rpc.call(
        QuotaShareServiceGrpc.getListQuotaSharesMethod(),
        request,
        LIST,
        response ->
            new Page<>(
                response.getSharesList().stream().map(ShareProtos::fromProto).toList(),
                response.getNextPageToken()));
  }

  /** Who lends what to whom. */
  public CompletableFuture<List<Loan>> loans(String queue) {
    ListLoansRequest request =
        ListLoansRequest.newBuilder().setParent(ResourceNames.queue(queue)).build();
    return rpc.call(
        QuotaShareServiceGrpc.getListLoansMethod(),
        request,
        LIST,
        response -> response.getLoansList().stream().map(ShareProtos::fromProto).toList());
  }

  /** Applies a policy, or with {@code validateOnly} only asks what would change. */
  public CompletableFuture<PolicyResult> applyPolicy(
      List<PolicyQueue> policy, boolean validateOnly, boolean drainNow) {
    ApplyPolicyRequest request =
        ApplyPolicyRequest.newBuilder()
            .addAllQueues(policy.stream().map(ShareProtos::toProto).toList())
            .setValidateOnly(validateOnly)
            .setDrainNow(drainNow)
            .setRequestId(UUID.randomUUID().toString())
            .build();
    return rpc.call(
        QuotaShareServiceGrpc.getApplyPolicyMethod(), request, LIST, ShareProtos::fromProto);
  }
}
