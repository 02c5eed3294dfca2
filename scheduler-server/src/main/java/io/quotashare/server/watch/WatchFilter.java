package io.quotashare.server.watch;

import io.quotashare.core.model.JobKey;
import io.quotashare.proto.v1.WatchJobsRequest;
import io.quotashare.proto.v1.WatchJobsResponse;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.jobs.JobEventWriter;
import io.quotashare.server.view.JobView;
import io.quotashare.server.view.Snapshot;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * Which jobs a watch is about.
 *
 * @param queue queue id; empty for all
 * @param job job id; empty for all
 */
record WatchFilter(Optional<String> queue, String job) {
  static WatchFilter of(WatchJobsRequest request) {
    Optional<String> queue = Names.queueOrAll("parent", request.getParent());
    FieldChecks checks = new FieldChecks();
    checks.check(
        request.getJobId().isEmpty() || Names.isId(request.getJobId()),
        "job_id",
        request.getJobId(),
        Names.ID_RULE);
    checks.check(request.getRevision() >= 0, "revision", request.getRevision(), "0 or more");
    checks.throwIfAny();
    return new WatchFilter(queue, request.getJobId());
  }

  boolean matches(JobKey key) {
    return (queue.isEmpty() || queue.get().equals(key.queue()))
        && (job.isEmpty() || job.equals(key.id()));
  }

  /**
   * The present state, a message a job, made as they are asked for. Without a revision: a reader
   * that breaks off has only part of it, and begins again.
   */
  Iterator<WatchJobsResponse> present(Snapshot snapshot, long atMillis) {
    return StreamSupport.stream(candidates(snapshot).spliterator(), false)
        .takeWhile(view -> !isPast(view.job().key()))
        .filter(view -> matches(view.job().key()))
        .map(
            view ->
                WatchJobsResponse.newBuilder()
                    .setEvent(JobEventWriter.snapshot(view, atMillis))
                    .build())
        .iterator();
  }

  /** The jobs of a snapshot that may match, without looking at those of other queues. */
  private Iterable<JobView> candidates(Snapshot snapshot) {
    if (queue.isPresent() && !job.isEmpty()) {
      return snapshot.jobs().get(new JobKey(queue.get(), job)).map(List::of).orElse(List.of());
    }
    return snapshot.jobs().valuesFrom(new JobKey(queue.orElse(""), ""));
  }

  /** Whether no job after this one, in order of their keys, can match. */
  private boolean isPast(JobKey key) {
    return queue.isPresent() && key.queue().compareTo(queue.get()) > 0;
  }
}
