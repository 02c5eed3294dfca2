package io.quotashare.client.fake;

import io.grpc.stub.StreamObserver;
import io.quotashare.proto.v1.GetNodeRequest;
import io.quotashare.proto.v1.GetNodeResponse;
import io.quotashare.proto.v1.GetQueueRequest;
import io.quotashare.proto.v1.GetQueueResponse;
import io.quotashare.proto.v1.GetQueueSnapshotRequest;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.proto.v1.ListNodesRequest;
import io.quotashare.proto.v1.ListNodesResponse;
import io.quotashare.proto.v1.ListPreemptionsRequest;
import io.quotashare.proto.v1.ListPreemptionsResponse;
import io.quotashare.proto.v1.ListQueuesRequest;
import io.quotashare.proto.v1.ListQueuesResponse;
import io.quotashare.proto.v1.QueueServiceGrpc;

/** The queue service of the fake. */
final class FakeQueueService extends QueueServiceGrpc.QueueServiceImplBase {
  private final FakeScheduler scheduler;

  FakeQueueService(FakeScheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public void getQueue(GetQueueRequest request, StreamObserver<GetQueueResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return GetQueueResponse.newBuilder()
              .setQueue(scheduler.queues.get(request.getName()).getQueue())
              .build();
        });
  }

  @Override
  public void listQueues(ListQueuesRequest request, StreamObserver<ListQueuesResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return ListQueuesResponse.newBuilder()
              .addAllQueues(
                  scheduler.queues.all().stream().map(GetQueueSnapshotResponse::getQueue).toList())
              .build();
        });
  }

  @Override
  public void getQueueSnapshot(
      GetQueueSnapshotRequest request, StreamObserver<GetQueueSnapshotResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return scheduler.queues.get(request.getName());
        });
  }

  @Override
  public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return ListNodesResponse.newBuilder().addAllNodes(scheduler.queues.nodes).build();
        });
  }

  @Override
  public void getNode(GetNodeRequest request, StreamObserver<GetNodeResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return GetNodeResponse.newBuilder()
              .setNode(scheduler.queues.node(request.getName()))
              .build();
        });
  }

  @Override
  public void getUsageReport(
      GetUsageReportRequest request, StreamObserver<GetUsageReportResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return scheduler.queues.report;
        });
  }

  @Override
  public void listPreemptions(
      ListPreemptionsRequest request, StreamObserver<ListPreemptionsResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return ListPreemptionsResponse.newBuilder()
              .addAllPreemptions(scheduler.queues.preemptions)
              .build();
        });
  }
}
