package io.quotashare.server.jobs;

import io.quotashare.core.RejectedException;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.proto.v1.CancelJobsRequest;
import io.quotashare.proto.v1.CancelJobsResponse;
import io.quotashare.server.engine.EngineCall;
import io.quotashare.server.engine.Step;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.store.JobOrder;
import io.quotashare.server.view.JobView;
import io.quotashare.server.view.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Cancels what a filter selects, oldest submission first, in one commit. The jobs are selected from
 * what was durable when the call came, and looked at again when they are cancelled.
 */
final class BulkCancel implements EngineCall<CancelJobsResponse> {
  /** Most jobs of a call. */
  static final int MAX_JOBS = 1000;

  private final String principal;
  private final CancelJobsRequest request;
  private final JobFilter filter;
  private final List<JobKey> selected;
  private final int remaining;
  private final boolean queueExists;

  private BulkCancel(
      String principal,
      CancelJobsRequest request,
      JobFilter filter,
      List<JobKey> selected,
      int remaining,
      boolean queueExists) {
    this.principal = principal;
    this.request = request;
    this.filter = filter;
    this.selected = selected;
    this.remaining = remaining;
    this.queueExists = queueExists;
  }

  /** Checks the request and selects. */
  static BulkCancel of(String principal, CancelJobsRequest request, Snapshot snapshot) {
    String queue = Names.queue("parent", request.getParent());
    FieldChecks checks = new FieldChecks();
    JobFilter filter =
        JobFilter.read(
            request.getShare(),
            request.getStatesList(),
            request.getStatesValueList(),
            request.getLabelsMap(),
            JobFilter.open(),
            checks);
    SteeringCalls.checkReason(request.getReason(), checks);
    checks.check(
        request.getAll() || !filter.selectsAll(JobFilter.open()),
        "all",
        request.getAll(),
        "true, or a share, states or labels: this would cancel every job of the queue");
    checks.throwIfAny();
    List<JobKey> selected = new ArrayList<>();
    int remaining = 0;
    for (JobKey key : snapshot.open().in(JobOrder.OLDEST_FIRST, Optional.of(queue), null)) {
      Optional<JobView> view = snapshot.jobs().get(key);
      if (view.filter(v -> filter.matches(v.job()) && isCancellable(v)).isEmpty()) {
        continue;
      }
      if (selected.size() < MAX_JOBS) {
        selected.add(key);
      } else {
        remaining++;
      }
    }
    boolean queueExists = snapshot.queues().containsKey(queue);
    return new BulkCancel(principal, request, filter, selected, remaining, queueExists);
  }

  /** The same as {@link Scheduler#isCancellable} by what is durable. */
  private static boolean isCancellable(JobView view) {
    Attempt attempt = view.attempt();
    return view.job().state().isWaiting()
        || attempt == null
        || attempt.stop() == null
        || !attempt.stop().cause().endsJob();
  }

  /** What would be cancelled. */
  CancelJobsResponse preview() {
    refuseUnknownQueue();
    return response(selected);
  }

  @Override
  public Answer<CancelJobsResponse> apply(Step step) {
    refuseUnknownQueue();
    List<JobKey> cancelled = new ArrayList<>();
    for (JobKey key : selected) {
      Optional<Job> job = step.scheduler().job(key);
      if (job.filter(j -> filter.matches(j) && step.scheduler().isCancellable(j)).isPresent()) {
        SteeringCalls.cancel(step, principal, key, request.getRequestId(), request.getReason());
        cancelled.add(key);
      }
    }
    return decided -> response(cancelled);
  }

  /** Not before it is known that this is no repeat: that has its first answer. */
  private void refuseUnknownQueue() {
    if (!queueExists) {
      throw new RejectedException(
          RejectedException.Kind.NOT_FOUND,
          "NOT_FOUND",
          "parent",
          "queue " + request.getParent() + " does not exist",
          new TreeMap<>(Map.of("name", request.getParent())));
    }
  }

  private CancelJobsResponse response(List<JobKey> jobs) {
    CancelJobsResponse.Builder response = CancelJobsResponse.newBuilder().setRemaining(remaining);
    jobs.forEach(job -> response.addJobs(job.toString()));
    return response.build();
  }
}
