package io.quotashare.client.internal;

import static io.quotashare.client.internal.Rpc.GET;
import static io.quotashare.client.internal.Rpc.LIST;

import com.google.protobuf.FieldMask;
import io.quotashare.client.ChangeOptions;
import io.quotashare.client.Loan;
import io.quotashare.client.Page;
import io.quotashare.client.PolicyOptions;
import io.quotashare.client.PolicyPlan;
import io.quotashare.client.PolicyQueue;
import io.quotashare.client.PolicyResult;
import io.quotashare.client.QuotaShare;
import io.quotashare.client.ResourceNames;
import io.quotashare.client.ShareDeletion;
import io.quotashare.client.ShareStatus;
import io.quotashare.client.ShareUpdate;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.CreateQuotaShareRequest;
import io.quotashare.proto.v1.DeleteQuotaShareRequest;
import io.quotashare.proto.v1.GetQuotaShareRequest;
import io.quotashare.proto.v1.ListLoansRequest;
import io.quotashare.proto.v1.ListQuotaSharesRequest;
import io.quotashare.proto.v1.PlanPolicyRequest;
import io.quotashare.proto.v1.QuotaShareServiceGrpc;
import io.quotashare.proto.v1.UpdateQuotaShareRequest;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The calls of the quota-share service, in the types of the client. */
public final class ShareCalls {
  private static final int PAGE_SIZE = 1000;

  private final Rpc rpc;

  /** Calls over this connection. */
  public ShareCalls(Rpc rpc) {
    this.rpc = rpc;
  }

  /** One share. */
  public CompletableFuture<ShareStatus> get(String queue, String share) {
    GetQuotaShareRequest request =
        GetQuotaShareRequest.newBuilder().setName(ResourceNames.share(queue, share)).build();
    return rpc.call(
        QuotaShareServiceGrpc.getGetQuotaShareMethod(),
        request,
        GET,
        response -> ShareProtos.fromProto(response.getShare()));
  }

  /** One page of shares. */
  public CompletableFuture<Page<ShareStatus>> list(String queue, String pageToken) {
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

  /** Makes a share, or with {@code validateOnly} only checks it. */
  public CompletableFuture<ShareStatus> create(
      QuotaShare share, boolean validateOnly, @Nullable UUID requestId) {
    CreateQuotaShareRequest request =
        CreateQuotaShareRequest.newBuilder()
            .setParent(ResourceNames.queue(share.queue()))
            .setShareId(share.id())
            .setShare(ShareProtos.toProto(share))
            .setValidateOnly(validateOnly)
            .setRequestId(RequestIds.orNew(requestId))
            .build();
    return rpc.call(
        QuotaShareServiceGrpc.getCreateQuotaShareMethod(),
        request,
        LIST,
        response -> ShareProtos.fromProto(response.getShare()));
  }

  /** Changes a share, or with {@code validateOnly} only checks the change. */
  public CompletableFuture<ShareStatus> update(ShareUpdate update, boolean validateOnly) {
    UpdateQuotaShareRequest request =
        UpdateQuotaShareRequest.newBuilder()
            .setShare(ShareProtos.toProto(update.share()))
            .setUpdateMask(
                FieldMask.newBuilder().addAllPaths(update.fields().stream().sorted().toList()))
            .setValidateOnly(validateOnly)
            .setDrainNow(update.drainNow())
            .setRequestId(RequestIds.orNew(update.requestId()))
            .build();
    return rpc.call(
        QuotaShareServiceGrpc.getUpdateQuotaShareMethod(),
        request,
        LIST,
        response -> ShareProtos.fromProto(response.getShare()));
  }

  /** Removes a share, or with {@code validateOnly} only says what would end. */
  public CompletableFuture<ShareDeletion> delete(
      String queue, String share, ChangeOptions options, boolean validateOnly) {
    DeleteQuotaShareRequest request =
        DeleteQuotaShareRequest.newBuilder()
            .setName(ResourceNames.share(queue, share))
            .setEtag(options.etag())
            .setValidateOnly(validateOnly)
            .setRequestId(RequestIds.orNew(options.requestId()))
            .build();
    return rpc.call(
        QuotaShareServiceGrpc.getDeleteQuotaShareMethod(), request, LIST, ShareProtos::fromProto);
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
      List<PolicyQueue> policy, PolicyOptions options, boolean validateOnly) {
    ApplyPolicyRequest request =
        ApplyPolicyRequest.newBuilder()
            .addAllQueues(policy.stream().map(ShareProtos::toProto).toList())
            .setValidateOnly(validateOnly)
            .setDrainNow(options.drainNow())
            .setPrune(options.prune())
            .setRequestId(RequestIds.orNew(options.requestId()))
            .build();
    return rpc.call(
        QuotaShareServiceGrpc.getApplyPolicyMethod(), request, LIST, PlanProtos::fromProto);
  }

  /** What applying a policy would do, to jobs too. */
  public CompletableFuture<PolicyPlan> planPolicy(List<PolicyQueue> policy, PolicyOptions options) {
    PlanPolicyRequest request =
        PlanPolicyRequest.newBuilder()
            .addAllQueues(policy.stream().map(ShareProtos::toProto).toList())
            .setDrainNow(options.drainNow())
            .setPrune(options.prune())
            .build();
    return rpc.call(
        QuotaShareServiceGrpc.getPlanPolicyMethod(), request, LIST, PlanProtos::fromProto);
  }
}
