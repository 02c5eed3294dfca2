package io.quotashare.client.fake;

import io.grpc.stub.StreamObserver;
import io.quotashare.proto.admin.v1.AdminServiceGrpc;
import io.quotashare.proto.admin.v1.AuditEvent;
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
import java.util.List;
import java.util.Optional;

/** The admin service of the fake: keeps the requests. */
final class FakeAdminService extends AdminServiceGrpc.AdminServiceImplBase {
  private final FakeScheduler scheduler;
  private volatile Optional<String> pauseReason = Optional.empty();

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
  public void pauseScheduling(
      PauseSchedulingRequest request, StreamObserver<PauseSchedulingResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          pauseReason = Optional.of(request.getReason());
          return PauseSchedulingResponse.getDefaultInstance();
        });
  }

  @Override
  public void resumeScheduling(
      ResumeSchedulingRequest request, StreamObserver<ResumeSchedulingResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          pauseReason = Optional.empty();
          return ResumeSchedulingResponse.getDefaultInstance();
        });
  }

  @Override
  public void verifyState(VerifyStateRequest request, StreamObserver<VerifyStateResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return scheduler.queues.verification;
        });
  }

  @Override
  public void listAuditEvents(
      ListAuditEventsRequest request, StreamObserver<ListAuditEventsResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          List<AuditEvent> all = scheduler.queues.auditEvents;
          int from =
              request.getPageToken().isEmpty() ? 0 : Integer.parseInt(request.getPageToken());
          int end = Math.min(all.size(), from + FakeJobService.MAX_PAGE);
          return ListAuditEventsResponse.newBuilder()
              .addAllEvents(all.subList(from, end))
              .setNextPageToken(end < all.size() ? String.valueOf(end) : "")
              .build();
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
              .setPaused(pauseReason.isPresent())
              .setPauseReason(pauseReason.orElse(""))
              .build();
        });
  }
}
