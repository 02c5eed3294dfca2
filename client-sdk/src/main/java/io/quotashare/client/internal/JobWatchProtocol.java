package io.quotashare.client.internal;

import io.grpc.MethodDescriptor;
import io.quotashare.client.JobEvent;
import io.quotashare.client.JobEventType;
import io.quotashare.client.WatchOptions;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.WatchJobsRequest;
import io.quotashare.proto.v1.WatchJobsResponse;
import org.jspecify.annotations.Nullable;

/** The watch of jobs. The events of its present state say so themselves. */
final class JobWatchProtocol
    implements WatchProtocol<WatchJobsRequest, WatchJobsResponse, JobEvent> {
  private final WatchOptions options;

  JobWatchProtocol(WatchOptions options) {
    this.options = options;
  }

  @Override
  public String what() {
    return "jobs";
  }

  @Override
  public MethodDescriptor<WatchJobsRequest, WatchJobsResponse> method() {
    return JobServiceGrpc.getWatchJobsMethod();
  }

  @Override
  public WatchJobsRequest begin(boolean begunAnew) {
    return request().setSkipSnapshot(!options.snapshot() && !begunAnew).build();
  }

  @Override
  public WatchJobsRequest resume(long revision) {
    return request().setRevision(revision).build();
  }

  private WatchJobsRequest.Builder request() {
    return WatchJobsRequest.newBuilder()
        .setParent(Parents.queueOrAll(options.queue()))
        .setJobId(options.jobId());
  }

  @Override
  public long revision(WatchJobsResponse response) {
    return response.getRevision();
  }

  @Override
  public @Nullable JobEvent event(WatchJobsResponse response) {
    return response.hasEvent() ? JobProtos.fromProto(response) : null;
  }

  @Override
  public boolean endsBeginning(JobEvent event) {
    return event.type() != JobEventType.SNAPSHOT;
  }
}
