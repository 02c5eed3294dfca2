package io.quotashare.client.fake;

import com.google.protobuf.util.FieldMaskUtil;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.quotashare.proto.v1.AdminState;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.ApplyPolicyResponse;
import io.quotashare.proto.v1.CreateQuotaShareRequest;
import io.quotashare.proto.v1.CreateQuotaShareResponse;
import io.quotashare.proto.v1.DeleteQuotaShareRequest;
import io.quotashare.proto.v1.DeleteQuotaShareResponse;
import io.quotashare.proto.v1.GetQuotaShareRequest;
import io.quotashare.proto.v1.GetQuotaShareResponse;
import io.quotashare.proto.v1.ListLoansRequest;
import io.quotashare.proto.v1.ListLoansResponse;
import io.quotashare.proto.v1.ListQuotaSharesRequest;
import io.quotashare.proto.v1.ListQuotaSharesResponse;
import io.quotashare.proto.v1.PlanPolicyRequest;
import io.quotashare.proto.v1.PlanPolicyResponse;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.proto.v1.QuotaShareServiceGrpc;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.proto.v1.UpdateQuotaShareRequest;
import io.quotashare.proto.v1.UpdateQuotaShareResponse;
import io.quotashare.proto.v1.WatchQuotaSharesRequest;
import io.quotashare.proto.v1.WatchQuotaSharesResponse;

/** The quota-share service of the fake. */
final class FakeShareService extends QuotaShareServiceGrpc.QuotaShareServiceImplBase {
  private final FakeScheduler scheduler;

  FakeShareService(FakeScheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public void getQuotaShare(
      GetQuotaShareRequest request, StreamObserver<GetQuotaShareResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return GetQuotaShareResponse.newBuilder()
              .setShare(scheduler.queues.share(request.getName()))
              .build();
        });
  }

  @Override
  public void listQuotaShares(
      ListQuotaSharesRequest request, StreamObserver<ListQuotaSharesResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return ListQuotaSharesResponse.newBuilder()
              .addAllShares(scheduler.queues.shares())
              .build();
        });
  }

  @Override
  public void createQuotaShare(
      CreateQuotaShareRequest request, StreamObserver<CreateQuotaShareResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          String name = request.getParent() + "/shares/" + request.getShareId();
          if (scheduler.queues.findShare(name).isPresent()) {
            throw FakeScheduler.failure(
                Status.Code.ALREADY_EXISTS, name + " exists", "SHARE_EXISTS");
          }
          QuotaShareStatus made =
              QuotaShareStatus.newBuilder()
                  .setShare(request.getShare().toBuilder().setName(name).setEtag("1"))
                  .build();
          if (!request.getValidateOnly()) {
            scheduler.shares.set(made);
          }
          return CreateQuotaShareResponse.newBuilder().setShare(made).build();
        });
  }

  @Override
  public void updateQuotaShare(
      UpdateQuotaShareRequest request, StreamObserver<UpdateQuotaShareResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          QuotaShareStatus before = scheduler.queues.share(request.getShare().getName());
          checkEtag(before, request.getShare().getEtag());
          QuotaShareStatus changed =
              before.toBuilder().setShare(merged(before.getShare(), request)).build();
          if (!request.getValidateOnly()) {
            scheduler.shares.set(changed);
          }
          return UpdateQuotaShareResponse.newBuilder().setShare(changed).build();
        });
  }

  private static QuotaShare merged(QuotaShare before, UpdateQuotaShareRequest request) {
    String etag = String.valueOf(Integer.parseInt(before.getEtag()) + 1);
    if (request.getUpdateMask().getPathsList().contains("*")) {
      return request.getShare().toBuilder().setEtag(etag).build();
    }
    QuotaShare.Builder to = before.toBuilder().setEtag(etag);
    FieldMaskUtil.merge(
        request.getUpdateMask(),
        request.getShare(),
        to,
        new FieldMaskUtil.MergeOptions()
            .setReplaceRepeatedFields(true)
            .setReplacePrimitiveFields(true)
            .setReplaceMessageFields(true));
    return to.build();
  }

  private static void checkEtag(QuotaShareStatus share, String etag) {
    if (!etag.isEmpty() && !etag.equals(share.getShare().getEtag())) {
      throw FakeScheduler.failure(
          Status.Code.ABORTED, "the share has changed since it was read", "ETAG_MISMATCH");
    }
  }

  @Override
  public void deleteQuotaShare(
      DeleteQuotaShareRequest request, StreamObserver<DeleteQuotaShareResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          QuotaShareStatus share = scheduler.queues.share(request.getName());
          checkEtag(share, request.getEtag());
          if (share.getShare().getState() != AdminState.ADMIN_STATE_DISABLED) {
            throw FakeScheduler.failure(
                Status.Code.FAILED_PRECONDITION,
                request.getName() + " is enabled: disable it first",
                "SHARE_NOT_DISABLED");
          }
          if (!request.getValidateOnly()) {
            scheduler.shares.remove(request.getName());
          }
          return DeleteQuotaShareResponse.newBuilder()
              .setCancelledJobs(
                  share.getUsageList().stream().mapToInt(u -> u.getWaitingJobs()).sum())
              .setStoppingJobs(share.getUsageList().stream().mapToInt(u -> u.getUsed()).sum())
              .build();
        });
  }

  @Override
  public void watchQuotaShares(
      WatchQuotaSharesRequest request, StreamObserver<WatchQuotaSharesResponse> to) {
    try {
      scheduler.received(request);
    } catch (StatusRuntimeException e) {
      to.onError(e);
      return;
    }
    ((ServerCallStreamObserver<WatchQuotaSharesResponse>) to)
        .setOnCancelHandler(() -> scheduler.shares.unwatch(to));
    scheduler.shares.watch(request, to);
  }

  @Override
  public void planPolicy(PlanPolicyRequest request, StreamObserver<PlanPolicyResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return scheduler.queues.policyPlan;
        });
  }

  @Override
  public void listLoans(ListLoansRequest request, StreamObserver<ListLoansResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return ListLoansResponse.newBuilder().addAllLoans(scheduler.queues.loans).build();
        });
  }

  @Override
  public void applyPolicy(ApplyPolicyRequest request, StreamObserver<ApplyPolicyResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return scheduler.queues.policyResult;
        });
  }
}
