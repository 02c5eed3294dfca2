package io.quotashare.client.internal;

import static io.quotashare.client.internal.Rpc.GET;
import static io.quotashare.client.internal.Rpc.LIST;

import io.quotashare.client.Attempt;
import io.quotashare.client.CancelOptions;
import io.quotashare.client.CancelResult;
import io.quotashare.client.ChangeOptions;
import io.quotashare.client.Explanation;
import io.quotashare.client.Job;
import io.quotashare.client.JobFilter;
import io.quotashare.client.JobOrder;
import io.quotashare.client.JobPlan;
import io.quotashare.client.JobSpec;
import io.quotashare.client.Page;
import io.quotashare.client.RequeueOptions;
import io.quotashare.client.ResourceNames;
import io.quotashare.client.Submission;
import io.quotashare.client.SubmitOptions;
import io.quotashare.client.SubmitOutcome;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.CancelJobsRequest;
import io.quotashare.proto.v1.CheckpointJobRequest;
import io.quotashare.proto.v1.ExplainJobRequest;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.HoldJobRequest;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.ListAttemptsRequest;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.PlanJobRequest;
import io.quotashare.proto.v1.ReleaseJobRequest;
import io.quotashare.proto.v1.RequeueJobRequest;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.SubmitJobsRequest;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The calls of the job service, in the types of the client. */
public final class JobCalls {
  private static final int PAGE_SIZE = 500;

  private final Rpc rpc;

  /** Calls over this connection. */
  public JobCalls(Rpc rpc) {
    this.rpc = rpc;
  }

  /** Submits, or with {@code validateOnly} only asks what would happen. */
  public <T> CompletableFuture<T> submit(
      JobSpec spec, SubmitOptions options, boolean validateOnly, Function<Job, T> convert) {
    return rpc.call(
        JobServiceGrpc.getSubmitJobMethod(),
        request(spec, options).setValidateOnly(validateOnly).build(),
        LIST,
        response -> convert.apply(JobProtos.fromProto(response.getJob())));
  }

  private static SubmitJobRequest.Builder request(JobSpec spec, SubmitOptions options) {
    SubmitJobRequest.Builder request =
        SubmitJobRequest.newBuilder()
            .setParent(ResourceNames.queue(spec.queue()))
            .setSpec(JobProtos.toProto(spec))
            .setRequestId(RequestIds.orNew(options.requestId()));
    Opt.set(options.jobId(), request::setJobId);
    return request;
  }

  /** Submits a batch for one queue. */
  public CompletableFuture<List<SubmitOutcome>> submitAll(
      String queue, List<Submission> batch, Function<Job, SubmitOutcome> accepted) {
    SubmitJobsRequest.Builder request =
        SubmitJobsRequest.newBuilder().setParent(ResourceNames.queue(queue));
    batch.forEach(one -> request.addRequests(request(one.spec(), one.options())));
    return rpc.call(
        JobServiceGrpc.getSubmitJobsMethod(),
        request.build(),
        LIST,
        response ->
            response.getOutcomesList().stream()
                .map(outcome -> PlanProtos.fromProto(outcome, accepted))
                .toList());
  }

  /** What a submission would do. */
  public CompletableFuture<JobPlan> plan(JobSpec spec) {
    PlanJobRequest request =
        PlanJobRequest.newBuilder()
            .setParent(ResourceNames.queue(spec.queue()))
            .setSpec(JobProtos.toProto(spec))
            .build();
    return rpc.call(JobServiceGrpc.getPlanJobMethod(), request, LIST, PlanProtos::fromProto);
  }

  /** One job. */
  public CompletableFuture<Job> get(String name) {
    GetJobRequest request = GetJobRequest.newBuilder().setName(name).build();
    return rpc.call(
        JobServiceGrpc.getGetJobMethod(),
        request,
        GET,
        response -> JobProtos.fromProto(response.getJob()));
  }

  /** One page of jobs. */
  public CompletableFuture<Page<Job>> list(JobFilter filter, JobOrder order, String pageToken) {
    ListJobsRequest request =
        ListJobsRequest.newBuilder()
            .setParent(Parents.queueOrAll(filter.queue()))
            .setPageSize(PAGE_SIZE)
            .setPageToken(pageToken)
            .addAllStates(filter.states().stream().sorted().map(JobProtos::toProto).toList())
            .setShare(filter.share())
            .putAllLabels(filter.labels())
            .setOrder(io.quotashare.proto.v1.JobOrder.valueOf("JOB_ORDER_" + order.name()))
            .build();
    return rpc.call(
        JobServiceGrpc.getListJobsMethod(),
        request,
        LIST,
        response ->
            new Page<>(
                response.getJobsList().stream().map(JobProtos::fromProto).toList(),
                response.getNextPageToken()));
  }

  /** Changes the priority; 0 is sent like every other value. */
  public CompletableFuture<Job> updatePriority(String name, int priority, ChangeOptions options) {
    UpdateJobPriorityRequest request =
        UpdateJobPriorityRequest.newBuilder()
            .setName(name)
            .setPriority(priority)
            .setEtag(options.etag())
            .setRequestId(RequestIds.orNew(options.requestId()))
            .build();
    return rpc.call(
        JobServiceGrpc.getUpdateJobPriorityMethod(),
        request,
        LIST,
        response -> JobProtos.fromProto(response.getJob()));
  }

  /** Holds back. */
  public CompletableFuture<Job> hold(String name, ChangeOptions options) {
    HoldJobRequest request =
        HoldJobRequest.newBuilder()
            .setName(name)
            .setEtag(options.etag())
            .setRequestId(RequestIds.orNew(options.requestId()))
            .build();
    return rpc.call(
        JobServiceGrpc.getHoldJobMethod(),
        request,
        LIST,
        response -> JobProtos.fromProto(response.getJob()));
  }

  /** Ends a hold. */
  public CompletableFuture<Job> release(String name, ChangeOptions options) {
    ReleaseJobRequest request =
        ReleaseJobRequest.newBuilder()
            .setName(name)
            .setEtag(options.etag())
            .setRequestId(RequestIds.orNew(options.requestId()))
            .build();
    return rpc.call(
        JobServiceGrpc.getReleaseJobMethod(),
        request,
        LIST,
        response -> JobProtos.fromProto(response.getJob()));
  }

  /** Stops the attempt and queues the job again. */
  public CompletableFuture<Job> requeue(String name, RequeueOptions options) {
    RequeueJobRequest request =
        RequeueJobRequest.newBuilder()
            .setName(name)
            .setHold(options.hold())
            .setReason(options.reason())
            .setEtag(options.etag())
            .setRequestId(RequestIds.orNew(options.requestId()))
            .build();
    return rpc.call(
        JobServiceGrpc.getRequeueJobMethod(),
        request,
        LIST,
        response -> JobProtos.fromProto(response.getJob()));
  }

  /** Asks the job to save and go on. */
  public CompletableFuture<Job> checkpoint(String name, @Nullable UUID requestId) {
    CheckpointJobRequest request =
        CheckpointJobRequest.newBuilder()
            .setName(name)
            .setRequestId(RequestIds.orNew(requestId))
            .build();
    return rpc.call(
        JobServiceGrpc.getCheckpointJobMethod(),
        request,
        LIST,
        response -> JobProtos.fromProto(response.getJob()));
  }

  /** Cancels. */
  public CompletableFuture<Job> cancel(String name, String reason, @Nullable UUID requestId) {
    CancelJobRequest request =
        CancelJobRequest.newBuilder()
            .setName(name)
            .setReason(reason)
            .setRequestId(RequestIds.orNew(requestId))
            .build();
    return rpc.call(
        JobServiceGrpc.getCancelJobMethod(),
        request,
        LIST,
        response -> JobProtos.fromProto(response.getJob()));
  }

  /**
   * Cancels up to 1000 jobs that a filter selects, or with {@code validateOnly} only names them.
   */
  public CompletableFuture<CancelResult> cancelSome(
      JobFilter filter, CancelOptions options, boolean validateOnly) {
    CancelJobsRequest request =
        CancelJobsRequest.newBuilder()
            .setParent(ResourceNames.queue(filter.queue()))
            .setShare(filter.share())
            .addAllStates(filter.states().stream().sorted().map(JobProtos::toProto).toList())
            .putAllLabels(filter.labels())
            .setAll(options.everyJob())
            .setReason(options.reason())
            .setValidateOnly(validateOnly)
            .setRequestId(RequestIds.orNew(options.requestId()))
            .build();
    return rpc.call(JobServiceGrpc.getCancelJobsMethod(), request, LIST, PlanProtos::fromProto);
  }

  /** Explains. */
  public CompletableFuture<Explanation> explain(String name) {
    ExplainJobRequest request = ExplainJobRequest.newBuilder().setName(name).build();
    return rpc.call(JobServiceGrpc.getExplainJobMethod(), request, GET, JobProtos::fromProto);
  }

  /** One page of attempts. */
  public CompletableFuture<Page<Attempt>> attempts(String name, String pageToken) {
    ListAttemptsRequest request =
        ListAttemptsRequest.newBuilder()
            .setParent(name)
            .setPageSize(PAGE_SIZE)
            .setPageToken(pageToken)
            .build();
    return rpc.call(
        JobServiceGrpc.getListAttemptsMethod(),
        request,
        LIST,
        response ->
            new Page<>(
                response.getAttemptsList().stream().map(JobProtos::fromProto).toList(),
                response.getNextPageToken()));
  }
}
