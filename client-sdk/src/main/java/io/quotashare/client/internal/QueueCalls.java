package io.quotashare.client.internal;

import static io.quotashare.client.internal.Rpc.GET;
import static io.quotashare.client.internal.Rpc.LIST;

import io.quotashare.client.Node;
import io.quotashare.client.Page;
import io.quotashare.client.Preemption;
import io.quotashare.client.PreemptionFilter;
import io.quotashare.client.Queue;
import io.quotashare.client.QueueSnapshot;
import io.quotashare.client.ResourceNames;
import io.quotashare.client.UsageQuery;
import io.quotashare.client.UsageReport;
import io.quotashare.proto.v1.GetNodeRequest;
import io.quotashare.proto.v1.GetQueueRequest;
import io.quotashare.proto.v1.GetQueueSnapshotRequest;
import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.proto.v1.ListNodesRequest;
import io.quotashare.proto.v1.ListPreemptionsRequest;
import io.quotashare.proto.v1.ListQueuesRequest;
import io.quotashare.proto.v1.QueueServiceGrpc;
import java.util.concurrent.CompletableFuture;

/** The calls of the queue service, in the types of the client. */
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
  public CompletableFuture<UsageReport> usageReport(String queue, UsageQuery query) {
    GetUsageReportRequest.Builder request =
        GetUsageReportRequest.newBuilder()
            .setName(ResourceNames.queue(queue))
            .setShare(query.share());
    Opt.set(query.start(), Times::timestamp, request::setStart);
    Opt.set(query.end(), Times::timestamp, request::setEnd);
    Opt.set(query.step(), Times::duration, request::setStep);
    return rpc.call(
        QueueServiceGrpc.getGetUsageReportMethod(), request.build(), LIST, QueueProtos::fromProto);
  }

  /** One page of preemptions. */
  public CompletableFuture<Page<Preemption>> preemptions(
      String queue, PreemptionFilter filter, String pageToken) {
    ListPreemptionsRequest request =
        ListPreemptionsRequest.newBuilder()
            .setParent(ResourceNames.queue(queue))
            .setShare(filter.share())
            .setJob(filter.job())
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
}
