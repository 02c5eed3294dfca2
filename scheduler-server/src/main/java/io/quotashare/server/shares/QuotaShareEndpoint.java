package io.quotashare.server.shares;

import static java.util.Objects.requireNonNull;

import io.grpc.stub.StreamObserver;
import io.quotashare.core.Policy;
import io.quotashare.core.QueueView;
import io.quotashare.core.model.ShareKey;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.ApplyPolicyResponse;
import io.quotashare.proto.v1.GetQuotaShareRequest;
import io.quotashare.proto.v1.GetQuotaShareResponse;
import io.quotashare.proto.v1.ListLoansRequest;
import io.quotashare.proto.v1.ListLoansResponse;
import io.quotashare.proto.v1.ListQuotaSharesRequest;
import io.quotashare.proto.v1.ListQuotaSharesResponse;
import io.quotashare.proto.v1.Loan;
import io.quotashare.proto.v1.QuotaShareServiceGrpc;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.engine.EngineCall;
import io.quotashare.server.grpc.Callers;
import io.quotashare.server.grpc.Errors;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.grpc.Pages;
import io.quotashare.server.grpc.Requests;
import io.quotashare.server.grpc.Times;
import io.quotashare.server.grpc.Unary;
import io.quotashare.server.store.AuditEvent;
import io.quotashare.server.view.ReadModel;
import jakarta.inject.Inject;
import java.util.Optional;

/** The public service for shares and policies. */
public final class QuotaShareEndpoint extends QuotaShareServiceGrpc.QuotaShareServiceImplBase {
  private final Engine engine;
  private final ReadModel readModel;
  private final LastDay lastDay;

  @Inject
  public QuotaShareEndpoint(Engine engine, ReadModel readModel, LastDay lastDay) {
    this.engine = requireNonNull(engine, "engine is null");
    this.readModel = requireNonNull(readModel, "readModel is null");
    this.lastDay = requireNonNull(lastDay, "lastDay is null");
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
    QueueView queue = readModel.current().queues().get(key.queue());
    return Optional.ofNullable(queue).stream()
        .flatMap(view -> view.shares().stream())
        .filter(view -> view.share().key().equals(key))
        .map(view -> lastDay.of(key.queue()).status(view))
        .findFirst()
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
    Unary.now(
        observer,
        () -> {
          QueueView view =
              readModel.current().queues().get(Names.queue("parent", request.getParent()));
          if (view == null) {
            throw Errors.notFound("queue", request.getParent());
          }
          ListLoansResponse.Builder response = ListLoansResponse.newBuilder();
          view.loans().forEach(loan -> response.addLoans(loan(loan)));
          return response.build();
        });
  }

  private static Loan loan(QueueView.LoanView loan) {
    return Loan.newBuilder()
        .setLender(loan.lender())
        .setBorrower(loan.borrower())
        .setUnit(loan.unit())
        .setGpus(loan.gpus())
        .setSince(Times.timestamp(loan.sinceMillis()))
        .build();
  }

  @Override
  public void applyPolicy(
      ApplyPolicyRequest request, StreamObserver<ApplyPolicyResponse> observer) {
    Unary.later(
        observer,
        () -> {
          Policy policy = PolicyReader.read(request);
          if (request.getValidateOnly()) {
            return engine.call(
                step -> {
                  ApplyPolicyResponse preview = response(step.scheduler().previewPolicy(policy));
                  return decided -> preview;
                });
          }
          String principal = Callers.principal();
          return engine.call(
              apply(principal, policy, request),
              Requests.tag(
                  principal,
                  request.getRequestId(),
                  "ApplyPolicy",
                  request,
                  ApplyPolicyResponse.parser()));
        });
  }

  private static EngineCall<ApplyPolicyResponse> apply(
      String principal, Policy policy, ApplyPolicyRequest request) {
    return step -> {
      Policy.Diff diff =
          step.scheduler().applyPolicy(policy, request.getDrainNow(), step.nowMillis());
      step.audit(
          new AuditEvent(
              principal,
              "APPLY_POLICY",
              "queues",
              request.getRequestId(),
              "",
              AuditTexts.of(diff),
              request.getDrainNow() ? "what is above a lowered limit is stopped at once" : ""));
      return decided -> response(diff);
    };
  }

  private static ApplyPolicyResponse response(Policy.Diff diff) {
    return ApplyPolicyResponse.newBuilder()
        .addAllCreated(diff.created())
        .addAllUpdated(diff.updated())
        .addAllUnchanged(diff.unchanged())
        .addAllUnmanaged(diff.unmanaged())
        .addAllWarnings(diff.warnings())
        .build();
  }
}
