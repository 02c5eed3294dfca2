package io.quotashare.client.fake;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.ApplyPolicyResponse;
import io.quotashare.proto.v1.GetQuotaShareRequest;
import io.quotashare.proto.v1.GetQuotaShareResponse;
import io.quotashare.proto.v1.ListLoansRequest;
import io.quotashare.proto.v1.ListLoansResponse;
import io.quotashare.proto.v1.ListQuotaSharesRequest;
import io.quotashare.proto.v1.ListQuotaSharesResponse;
import io.quotashare.proto.v1.QuotaShareServiceGrpc;
import io.quotashare.proto.v1.QuotaShareStatus;
import java.util.List;

/** The quota-share service of the fake. */
final class FakeShareService extends QuotaShareServiceGrpc.QuotaShareServiceImplBase {
  private final FakeScheduler scheduler;

  FakeShareService(FakeScheduler scheduler) {
    this.scheduler = scheduler;
  }

  private List<QuotaShareStatus> shares() {
    return scheduler.queues.all().stream().flatMap(s -> s.getSharesList().stream()).toList();
  }

  @Override
  public void getQuotaShare(
      GetQuotaShareRequest request, StreamObserver<GetQuotaShareResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          QuotaShareStatus found =
              shares().stream()
                  .filter(s -> s.getShare().getName().equals(request.getName()))
                  .findFirst()
                  .orElseThrow(
                      () ->
                          FakeScheduler.failure(
                              Status.Code.NOT_FOUND,
                              request.getName() + " does not exist",
                              "SHARE_NOT_FOUND"));
          return GetQuotaShareResponse.newBuilder().setShare(found).build();
        });
  }

  @Override
  public void listQuotaShares(
      ListQuotaSharesRequest request, StreamObserver<ListQuotaSharesResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return ListQuotaSharesResponse.newBuilder().addAllShares(shares()).build();
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
