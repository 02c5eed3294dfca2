package io.quotashare.server.watch;

import io.quotashare.core.model.JobKey;
import io.quotashare.proto.v1.WatchJobsRequest;
import io.quotashare.server.grpc.Errors;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.view.JobView;
import io.quotashare.server.view.Snapshot;
import java.util.List;
import java.util.Optional;

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

  void checkQueue(Snapshot snapshot) {
    if (queue.isPresent() && !snapshot.queues().containsKey(queue.get())) {
      throw Errors.notFound("queue", "queues/" + queue.get());
    }
  }

  boolean matches(JobKey key) {
    return (queue.isEmpty() || queue.get().equals(key.queue()))
        && (job.isEmpty() || job.equals(key.id()));
  }

  /** The jobs of a snapshot that may match, without looking at those of other queues. */
  Iterable<JobView> candidates(Snapshot snapshot) {
    if (queue.isPresent() && !job.isEmpty()) {
      return snapshot.jobs().get(new JobKey(queue.get(), job)).map(List::of).orElse(List.of());
    }
    return snapshot.jobs().valuesFrom(new JobKey(queue.orElse(""), ""));
  }

  /** Whether no job after this one, in order of their keys, can match. */
  boolean isPast(JobKey key) {
    return queue.isPresent() && key.queue().compareTo(queue.get()) > 0;
  }
}
