package io.quotashare.server.jobs;

import static java.util.Objects.requireNonNull;

import io.grpc.stub.StreamObserver;
import io.quotashare.core.Explanation;
import io.quotashare.core.model.JobKey;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.CancelJobResponse;
import io.quotashare.proto.v1.CancelJobsRequest;
import io.quotashare.proto.v1.CancelJobsResponse;
import io.quotashare.proto.v1.CheckpointJobRequest;
import io.quotashare.proto.v1.CheckpointJobResponse;
import io.quotashare.proto.v1.ExplainJobRequest;
import io.quotashare.proto.v1.ExplainJobResponse;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.GetJobResponse;
import io.quotashare.proto.v1.HoldJobRequest;
import io.quotashare.proto.v1.HoldJobResponse;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.ListAttemptsRequest;
import io.quotashare.proto.v1.ListAttemptsResponse;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.ListJobsResponse;
import io.quotashare.proto.v1.PlanJobRequest;
import io.quotashare.proto.v1.PlanJobResponse;
import io.quotashare.proto.v1.ReleaseJobRequest;
import io.quotashare.proto.v1.ReleaseJobResponse;
import io.quotashare.proto.v1.RequeueJobRequest;
import io.quotashare.proto.v1.RequeueJobResponse;
import io.quotashare.proto.v1.StreamJobLogsRequest;
import io.quotashare.proto.v1.StreamJobLogsResponse;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.SubmitJobResponse;
import io.quotashare.proto.v1.SubmitJobsRequest;
import io.quotashare.proto.v1.SubmitJobsResponse;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import io.quotashare.proto.v1.UpdateJobPriorityResponse;
import io.quotashare.proto.v1.WatchJobsRequest;
import io.quotashare.proto.v1.WatchJobsResponse;
import io.quotashare.server.dryrun.DryRuns;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.engine.RequestTag;
import io.quotashare.server.engine.Step;
import io.quotashare.server.engine.TaggedCall;
import io.quotashare.server.grpc.Callers;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.grpc.Requests;
import io.quotashare.server.grpc.Times;
import io.quotashare.server.grpc.Unary;
import io.quotashare.server.logs.LogRelay;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.view.JobView;
import io.quotashare.server.view.ReadModel;
import io.quotashare.server.watch.WatchHub;
import jakarta.inject.Inject;
import java.util.concurrent.CompletableFuture;

/** The public service for jobs. Reads are answered from the read model, changes by the engine. */
public final class JobEndpoint extends JobServiceGrpc.JobServiceImplBase {
  private final Engine engine;
  private final ReadModel readModel;
  private final StateStore store;
  private final WatchHub watches;
  private final LogRelay logs;
  private final DryRuns dryRuns;
  private final JobIds ids;

  @Inject
  public JobEndpoint(
      Engine engine,
      ReadModel readModel,
      StateStore store,
      WatchHub watches,
      LogRelay logs,
      DryRuns dryRuns,
      JobIds ids) {
    this.engine = requireNonNull(engine, "engine is null");
    this.readModel = requireNonNull(readModel, "readModel is null");
    this.store = requireNonNull(store, "store is null");
    this.watches = requireNonNull(watches, "watches is null");
    this.logs = requireNonNull(logs, "logs is null");
    this.dryRuns = requireNonNull(dryRuns, "dryRuns is null");
    this.ids = requireNonNull(ids, "ids is null");
  }

  @Override
  public void submitJob(SubmitJobRequest request, StreamObserver<SubmitJobResponse> observer) {
    Unary.later(
        observer,
        () -> {
          TaggedCall<SubmitJobResponse> call = SubmitCall.tagged(Callers.principal(), request, ids);
          return engine.call(call.call(), call.tag());
        });
  }

  @Override
  public void submitJobs(SubmitJobsRequest request, StreamObserver<SubmitJobsResponse> observer) {
    Unary.later(
        observer,
        () -> BatchSubmit.submit(Callers.principal(), request, readModel.current(), engine, ids));
  }

  @Override
  public void planJob(PlanJobRequest request, StreamObserver<PlanJobResponse> observer) {
    Unary.later(observer, () -> dryRuns.run(PlanJobCall.of(request, ids)));
  }

  @Override
  public void getJob(GetJobRequest request, StreamObserver<GetJobResponse> observer) {
    Unary.now(
        observer,
        () -> {
          JobKey key = Names.job("name", request.getName());
          JobView view = readModel.current().requireJob(key);
          return GetJobResponse.newBuilder().setJob(JobWriter.job(view)).build();
        });
  }

  @Override
  public void listJobs(ListJobsRequest request, StreamObserver<ListJobsResponse> observer) {
    Unary.now(observer, () -> JobLister.list(request, readModel.current(), store));
  }

  @Override
  public void watchJobs(WatchJobsRequest request, StreamObserver<WatchJobsResponse> observer) {
    watches.watch(request, observer);
  }

  @Override
  public void updateJobPriority(
      UpdateJobPriorityRequest request, StreamObserver<UpdateJobPriorityResponse> observer) {
    Unary.later(
        observer,
        () -> {
          JobKey key = Names.job("name", request.getName());
          FieldChecks checks = new FieldChecks();
          if (request.hasPriority()) {
            JobSpecReader.priority(request.getPriority(), checks);
          } else {
            checks.reject("priority", "unset (expected: 0 to 9999)");
          }
          checks.throwIfAny();
          String principal = Callers.principal();
          return engine.call(
              SteeringCalls.updatePriority(principal, key, request),
              Requests.tag(
                  principal,
                  request.getRequestId(),
                  "UpdateJobPriority",
                  request,
                  UpdateJobPriorityResponse.parser()));
        });
  }

  @Override
  public void holdJob(HoldJobRequest request, StreamObserver<HoldJobResponse> observer) {
    Unary.later(
        observer,
        () -> {
          JobKey key = Names.job("name", request.getName());
          String principal = Callers.principal();
          return engine.call(
              SteeringCalls.hold(principal, key, request),
              Requests.tag(
                  principal, request.getRequestId(), "HoldJob", request, HoldJobResponse.parser()));
        });
  }

  @Override
  public void releaseJob(ReleaseJobRequest request, StreamObserver<ReleaseJobResponse> observer) {
    Unary.later(
        observer,
        () -> {
          JobKey key = Names.job("name", request.getName());
          String principal = Callers.principal();
          return engine.call(
              SteeringCalls.release(principal, key, request),
              Requests.tag(
                  principal,
                  request.getRequestId(),
                  "ReleaseJob",
                  request,
                  ReleaseJobResponse.parser()));
        });
  }

  @Override
  public void requeueJob(RequeueJobRequest request, StreamObserver<RequeueJobResponse> observer) {
    Unary.later(
        observer,
        () -> {
          JobKey key = Names.job("name", request.getName());
          FieldChecks checks = new FieldChecks();
          SteeringCalls.checkReason(request.getReason(), checks);
          checks.throwIfAny();
          String principal = Callers.principal();
          return engine.call(
              SteeringCalls.requeue(principal, key, request),
              Requests.tag(
                  principal,
                  request.getRequestId(),
                  "RequeueJob",
                  request,
                  RequeueJobResponse.parser()));
        });
  }

  @Override
  public void checkpointJob(
      CheckpointJobRequest request, StreamObserver<CheckpointJobResponse> observer) {
    Unary.later(
        observer,
        () -> {
          JobKey key = Names.job("name", request.getName());
          String principal = Callers.principal();
          return engine.call(
              SteeringCalls.checkpoint(principal, key, request),
              Requests.tag(
                  principal,
                  request.getRequestId(),
                  "CheckpointJob",
                  request,
                  CheckpointJobResponse.parser()));
        });
  }

  @Override
  public void cancelJob(CancelJobRequest request, StreamObserver<CancelJobResponse> observer) {
    Unary.later(
        observer,
        () -> {
          JobKey key = Names.job("name", request.getName());
          FieldChecks checks = new FieldChecks();
          SteeringCalls.checkReason(request.getReason(), checks);
          checks.throwIfAny();
          String principal = Callers.principal();
          return engine.call(
              SteeringCalls.cancel(principal, key, request),
              Requests.tag(
                  principal,
                  request.getRequestId(),
                  "CancelJob",
                  request,
                  CancelJobResponse.parser()));
        });
  }

  @Override
  public void cancelJobs(CancelJobsRequest request, StreamObserver<CancelJobsResponse> observer) {
    Unary.later(
        observer,
        () -> {
          String principal = Callers.principal();
          BulkCancel cancel = BulkCancel.of(principal, request, readModel.current());
          RequestTag<CancelJobsResponse> tag =
              Requests.tag(
                  principal,
                  request.getRequestId(),
                  "CancelJobs",
                  request,
                  CancelJobsResponse.parser());
          return request.getValidateOnly()
              ? CompletableFuture.completedFuture(cancel.preview())
              : engine.call(cancel, tag);
        });
  }

  @Override
  public void explainJob(ExplainJobRequest request, StreamObserver<ExplainJobResponse> observer) {
    Unary.later(
        observer,
        () -> {
          JobKey key = Names.job("name", request.getName());
          return engine.call(step -> decided -> explain(decided, key));
        });
  }

  private static ExplainJobResponse explain(Step step, JobKey key) {
    JobView view = JobStates.view(step.scheduler(), key);
    Explanation explanation = step.scheduler().explain(key, step.nowMillis());
    ExplainJobResponse.Builder response =
        ExplainJobResponse.newBuilder()
            .setJob(JobWriter.job(view))
            .setSummary(explanation.summary())
            .addAllDetails(explanation.details());
    explanation.rejected().forEach(r -> response.addRejected(JobWriter.rejected(r)));
    explanation.stopping().forEach(job -> response.addStoppingJobs(job.id()));
    explanation
        .expectedStartMillis()
        .ifPresent(at -> response.setExpectedStart(Times.timestamp(at)));
    return response.build();
  }

  @Override
  public void listAttempts(
      ListAttemptsRequest request, StreamObserver<ListAttemptsResponse> observer) {
    Unary.now(observer, () -> AttemptLister.list(request, readModel.current(), store));
  }

  @Override
  public void streamJobLogs(
      StreamJobLogsRequest request, StreamObserver<StreamJobLogsResponse> observer) {
    logs.stream(request, observer);
  }
}
