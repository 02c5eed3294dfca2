package io.quotashare.client.internal;

import static io.quotashare.client.internal.Rpc.GET;
import static io.quotashare.client.internal.Rpc.LIST;

import io.quotashare.client.Attempt;
import io.quotashare.client.Explanation;
import io.quotashare.client.Job;
import io.quotashare.client.JobFilter;
import io.quotashare.client.JobSpec;
import io.quotashare.client.Page;
import io.quotashare.client.ResourceNames;
import io.quotashare.client.SubmitOptions;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.ExplainJobRequest;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.ListAttemptsRequest;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

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
    UUID requestId = options.requestId() == null ? UUID.randomUUID() : options.requestId();
    SubmitJobRequest.Builder request =
        SubmitJobRequest.newBuilder()
            .setParent(ResourceNames.queue(spec.queue()))
            .setSpec(JobProtos.toProto(spec))
            .setRequestId(requestId.toString())
            .setValidateOnly(validateOnly);
    Opt.set(options.jobId(), request::setJobId);
    return rpc.call(
        JobServiceGrpc.getSubmitJobMethod(),
        request.build(),
        LIST,
        response -> convert.apply(JobProtos.fromProto(response.getJob())));
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
  public CompletableFuture<Page<Job>> list(JobFilter filter, String pageToken) {
    ListJobsRequest request =
        ListJobsRequest.newBuilder()
            .setParent(Parents.queueOrAll(filter.queue()))
            .setPageSize(PAGE_SIZE)
            .setPageToken(pageToken)
            .addAllStates(filter.states().stream().sorted().map(JobProtos::toProto).toList())
            .setShare(filter.share())
            .putAllLabels(filter.labels())
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
  public CompletableFuture<Job> updatePriority(String name, int priority, String etag) {
    UpdateJobPriorityRequest request =
        UpdateJobPriorityRequest.newBuilder()
            .setName(name)
            .setPriority(priority)
            .setEtag(etag)
            .setRequestId(UUID.randomUUID().toString())
            .build();
    return rpc.call(
        JobServiceGrpc.getUpdateJobPriorityMethod(),
        request,
        LIST,
        response -> JobProtos.fromProto(response.getJob()));
  }

  /** Cancels. */
  public CompletableFuture<Job> cancel(String name, String reason) {
    CancelJobRequest request =
        CancelJobRequest.newBuilder()
            .setName(name)
            .setReason(reason)
            .setRequestId(UUID.randomUUID().toString())
            .build();
    return rpc.call(
        JobServiceGrpc.getCancelJobMethod(),
        request,
        LIST,
        response -> JobProtos.fromProto(response.getJob()));
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
