package io.quotashare.server.shares;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.grpc.stub.StreamObserver;
import io.quotashare.core.QueueView;
import io.quotashare.core.model.ShareKey;
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
import io.quotashare.proto.v1.QuotaShareServiceGrpc;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.proto.v1.UpdateQuotaShareRequest;
import io.quotashare.proto.v1.UpdateQuotaShareResponse;
import io.quotashare.proto.v1.WatchQuotaSharesRequest;
import io.quotashare.proto.v1.WatchQuotaSharesResponse;
import io.quotashare.server.dryrun.DryRuns;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.engine.EngineCall;
import io.quotashare.server.engine.RequestTag;
import io.quotashare.server.grpc.Callers;
import io.quotashare.server.grpc.Errors;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.grpc.Pages;
import io.quotashare.server.grpc.Requests;
import io.quotashare.server.grpc.Unary;
import io.quotashare.server.view.ReadModel;
import io.quotashare.server.watch.WatchHub;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The public service for shares and policies. */
public final class QuotaShareEndpoint extends QuotaShareServiceGrpc.QuotaShareServiceImplBase {
  private final Engine engine;
  private final ReadModel readModel;
  private final LastDay lastDay;
  private final DryRuns dryRuns;
  private final WatchHub watches;

  @Inject
  public QuotaShareEndpoint(
      Engine engine, ReadModel readModel, LastDay lastDay, DryRuns dryRuns, WatchHub watches) {
    this.engine = requireNonNull(engine, "engine is null");
    this.readModel = requireNonNull(readModel, "readModel is null");
    this.lastDay = requireNonNull(lastDay, "lastDay is null");
    this.dryRuns = requireNonNull(dryRuns, "dryRuns is null");
    this.watches = requireNonNull(watches, "watches is null");
  }

  @Override
  public void getQuotaShare(
      GetQuotaShareRequest request, StreamObserver<GetQuotaShareResponse> observer) {
    Unary.now(
        observer,
        () -> {
          ShareKey key = Names.share("name", request.getName());
          return GetQuotaShareResponse.newBuilder().setShare(status(key)).build();
        });
  }

  private QuotaShareStatus status(ShareKey key) {
    return readModel
        .current()
        .share(key)
        .map(view -> lastDay.of(key.queue()).status(view))
        .orElseThrow(() -> Errors.notFound("share", key.toString()));
  }

  @Override
  public void listQuotaShares(
      ListQuotaSharesRequest request, StreamObserver<ListQuotaSharesResponse> observer) {
    Unary.now(observer, () -> list(request));
  }

  private ListQuotaSharesResponse list(ListQuotaSharesRequest request) {
    Optional<String> queue = Names.queueOrAll("parent", request.getParent());
    if (queue.isPresent() && !readModel.current().queues().containsKey(queue.get())) {
      throw Errors.notFound("queue", request.getParent());
    }
    ListQuotaSharesRequest list = request.toBuilder().clearPageSize().clearPageToken().build();
    int size = Pages.size(request.getPageSize(), Pages.MAX_SIZE);
    String token = Pages.after(list, request.getPageToken());
    Optional<ShareKey> after =
        token.isEmpty() ? Optional.empty() : Optional.of(Names.share("page_token", token));
    ListQuotaSharesResponse.Builder page = ListQuotaSharesResponse.newBuilder();
    ShareKey last = null;
    for (QueueView view : readModel.current().queues().values()) {
      if (queue.isPresent() && !queue.get().equals(view.queue().name())) {
        continue;
      }
      LastDay.OfQueue preempted = lastDay.of(view.queue().name());
      for (QueueView.ShareView share : view.shares()) {
        ShareKey key = share.share().key();
        if (after.isPresent() && key.compareTo(after.get()) <= 0) {
          continue;
        }
        if (page.getSharesCount() == size && last != null) {
          return page.setNextPageToken(Pages.token(list, last.toString())).build();
        }
        page.addShares(preempted.status(share));
        last = key;
      }
    }
    return page.build();
  }

  @Override
  public void listLoans(ListLoansRequest request, StreamObserver<ListLoansResponse> observer) {
    Unary.later(
        observer, () -> dryRuns.run(new LoanLister(Names.queue("parent", request.getParent()))));
  }

  @Override
  public void planPolicy(PlanPolicyRequest request, StreamObserver<PlanPolicyResponse> observer) {
    Unary.later(observer, () -> dryRuns.run(PolicyTrial.of(request)));
  }

  @Override
  public void watchQuotaShares(
      WatchQuotaSharesRequest request, StreamObserver<WatchQuotaSharesResponse> observer) {
    watches.watch(request, observer);
  }

  @Override
  public void createQuotaShare(
      CreateQuotaShareRequest request, StreamObserver<CreateQuotaShareResponse> observer) {
    Unary.later(
        observer,
        () ->
            change(
                CreateShareCall.of(Callers.principal(), request, lastDay),
                request.getValidateOnly(),
                request.getRequestId(),
                "CreateQuotaShare",
                request,
                CreateQuotaShareResponse.parser()));
  }

  @Override
  public void updateQuotaShare(
      UpdateQuotaShareRequest request, StreamObserver<UpdateQuotaShareResponse> observer) {
    Unary.later(
        observer,
        () ->
            change(
                UpdateShareCall.of(Callers.principal(), request, readModel.current(), lastDay),
                request.getValidateOnly(),
                request.getRequestId(),
                "UpdateQuotaShare",
                request,
                UpdateQuotaShareResponse.parser()));
  }

  @Override
  public void deleteQuotaShare(
      DeleteQuotaShareRequest request, StreamObserver<DeleteQuotaShareResponse> observer) {
    Unary.later(
        observer,
        () ->
            change(
                new DeleteShareCall(
                    Callers.principal(), Names.share("name", request.getName()), request),
                request.getValidateOnly(),
                request.getRequestId(),
                "DeleteQuotaShare",
                request,
                DeleteQuotaShareResponse.parser()));
  }

  @Override
  public void applyPolicy(
      ApplyPolicyRequest request, StreamObserver<ApplyPolicyResponse> observer) {
    Unary.later(
        observer,
        () ->
            change(
                new PolicyCall(
                    Callers.principal(),
                    PolicyReader.read(request.getQueuesList(), request.getPrune()),
                    request),
                request.getValidateOnly(),
                request.getRequestId(),
                "ApplyPolicy",
                request,
                ApplyPolicyResponse.parser()));
  }

  /**
   * Puts a change into the engine. A call that only checks changes nothing, so it is no request.
   */
  private <T extends MessageLite> CompletableFuture<T> change(
      EngineCall<T> call,
      boolean validateOnly,
      String requestId,
      String method,
      MessageLite request,
      Parser<T> parser) {
    RequestTag<T> tag = Requests.tag(Callers.principal(), requestId, method, request, parser);
    return validateOnly ? engine.call(call) : engine.call(call, tag);
  }
}
