package io.quotashare.client.fake;

import io.grpc.stub.StreamObserver;
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

/** The admin service of the fake: keeps the requests. */
final class FakeAdminService extends AdminServiceGrpc.AdminServiceImplBase {
  private final FakeScheduler scheduler;

  FakeAdminService(FakeScheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public void cordonNode(CordonNodeRequest request, StreamObserver<CordonNodeResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          scheduler.queues.node(request.getName());
          return CordonNodeResponse.getDefaultInstance();
        });
  }

  @Override
  public void uncordonNode(UncordonNodeRequest request, StreamObserver<UncordonNodeResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return UncordonNodeResponse.getDefaultInstance();
        });
  }

  @Override
  public void drainNode(DrainNodeRequest request, StreamObserver<DrainNodeResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return DrainNodeResponse.getDefaultInstance();
        });
  }

  @Override
  public void fenceNode(FenceNodeRequest request, StreamObserver<FenceNodeResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return FenceNodeResponse.getDefaultInstance();
        });
  }

  @Override
  public void getSchedulerStatus(
      GetSchedulerStatusRequest request, StreamObserver<GetSchedulerStatusResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return GetSchedulerStatusResponse.newBuilder()
              .setVersion("0.1.0")
              .setEpoch(3)
              .setLeadingSeconds(60)
              .setLiveJobs(scheduler.jobs.all().size())
              .setConnectedAgents(scheduler.queues.nodes.size())
              .build();
        });
  }
}
