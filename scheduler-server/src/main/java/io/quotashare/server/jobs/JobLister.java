package io.quotashare.server.jobs;

import io.quotashare.core.model.JobKey;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.ListJobsResponse;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.grpc.Pages;
import io.quotashare.server.view.JobView;
import io.quotashare.server.view.Snapshot;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Lists jobs in order of their names, page by page. */
final class JobLister {
  private static final int DEFAULT_PAGE_SIZE = 100;

  private final ListJobsRequest request;
  private final Optional<String> queue;
  private final Set<JobState> states;

  private JobLister(ListJobsRequest request, Optional<String> queue, Set<JobState> states) {
    this.request = request;
    this.queue = queue;
    this.states = states;
  }

  static ListJobsResponse list(ListJobsRequest request, Snapshot snapshot) {
    FieldChecks checks = new FieldChecks();
    for (int i = 0; i < request.getStatesCount(); i++) {
      checks.check(
          isState(request.getStates(i)),
          "states[" + i + "]",
          request.getStatesValue(i),
          "a state of jobs");
    }
    checks.check(
        request.getShare().isEmpty() || Names.isId(request.getShare()),
        "share",
        request.getShare(),
        "a share id");
    checks.throwIfAny();
    Optional<String> queue = Names.queueOrAll("parent", request.getParent());
    return new JobLister(request, queue, new HashSet<>(request.getStatesList())).page(snapshot);
  }

  private ListJobsResponse page(Snapshot snapshot) {
    ListJobsRequest list = request.toBuilder().clearPageSize().clearPageToken().build();
    int size = Pages.size(request.getPageSize(), DEFAULT_PAGE_SIZE);
    String after = Pages.after(list, request.getPageToken());
    Iterable<JobView> rest =
        after.isEmpty()
            ? snapshot.jobs().valuesFrom(new JobKey(queue.orElse(""), ""))
            : snapshot.jobs().valuesAfter(Names.job("page_token", after));
    ListJobsResponse.Builder page = ListJobsResponse.newBuilder();
    JobKey last = null;
    for (JobView view : rest) {
      JobKey key = view.job().key();
      if (queue.isPresent() && !key.queue().equals(queue.get())) {
        break;
      }
      if (!matches(view)) {
        continue;
      }
      if (page.getJobsCount() == size && last != null) {
        return page.setNextPageToken(Pages.token(list, last.toString())).build();
      }
      page.addJobs(JobWriter.job(view));
      last = key;
    }
    return page.build();
  }

  private boolean matches(JobView view) {
    return (states.isEmpty() || states.contains(JobWriter.state(view.job().state())))
        && (request.getShare().isEmpty() || request.getShare().equals(view.job().spec().share()))
        && view.job().spec().labels().entrySet().containsAll(request.getLabelsMap().entrySet());
  }

  private static boolean isState(JobState state) {
    return state != JobState.UNRECOGNIZED && state != JobState.JOB_STATE_UNSPECIFIED;
  }
}
