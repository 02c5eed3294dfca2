package io.quotashare.server.jobs;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.ListJobsResponse;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.grpc.Pages;
import io.quotashare.server.store.JobOrder;
import io.quotashare.server.store.JobPlace;
import io.quotashare.server.store.JobQuery;
import io.quotashare.server.store.JobSlice;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.view.JobView;
import io.quotashare.server.view.Snapshot;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists jobs page by page: those that have not ended from the read model, the others from the
 * store. A page begins after a place in the list, so it costs the same wherever it is; where a
 * filter leaves little, it ends early, and the next one goes on from there.
 */
final class JobLister {
  /** Jobs that a page looks at in the read model, and rows in the store, matching or not. */
  static final int MAX_LOOKED = 10_000;

  /** A page ends with the job that makes it this large, so that clients can take it. */
  static final int MAX_PAGE_BYTES = 1024 * 1024;

  private static final int DEFAULT_PAGE_SIZE = 100;

  private static final Map<io.quotashare.proto.v1.JobOrder, JobOrder> ORDERS =
      Map.of(
          io.quotashare.proto.v1.JobOrder.JOB_ORDER_UNSPECIFIED, JobOrder.ID,
          io.quotashare.proto.v1.JobOrder.JOB_ORDER_ID, JobOrder.ID,
          io.quotashare.proto.v1.JobOrder.JOB_ORDER_NEWEST_FIRST, JobOrder.NEWEST_FIRST,
          io.quotashare.proto.v1.JobOrder.JOB_ORDER_OLDEST_FIRST, JobOrder.OLDEST_FIRST);

  private final Optional<String> queue;
  private final JobFilter filter;
  private final JobOrder order;
  private final int size;
  private final ListJobsRequest list;
  private final @Nullable JobPlace after;

  /**
   * A page, and what it has cost.
   *
   * @param looked jobs and rows that were looked at
   */
  record Listed(ListJobsResponse page, int looked) {}

  private JobLister(
      ListJobsRequest request, Optional<String> queue, JobFilter filter, JobOrder order) {
    this.queue = queue;
    this.filter = filter;
    this.order = order;
    this.size = Pages.size(request.getPageSize(), DEFAULT_PAGE_SIZE);
    // What a token belongs to; the order by its one name.
    ListJobsRequest.Builder own = request.toBuilder().clearPageSize().clearPageToken();
    this.list = order == JobOrder.ID ? own.clearOrder().build() : own.build();
    this.after = place(Pages.after(list, request.getPageToken()));
  }

  static ListJobsResponse list(ListJobsRequest request, Snapshot snapshot, StateStore store) {
    return listed(request, snapshot, store).page();
  }

  /**
   * @param snapshot taken before the store is read: what has ended since is found there
   */
  static Listed listed(ListJobsRequest request, Snapshot snapshot, StateStore store) {
    FieldChecks checks = new FieldChecks();
    JobFilter filter =
        JobFilter.read(
            request.getShare(),
            request.getStatesList(),
            request.getStatesValueList(),
            request.getLabelsMap(),
            EnumSet.allOf(JobState.class),
            checks);
    JobOrder order = ORDERS.get(request.getOrder());
    if (order == null) {
      checks.reject("order", request.getOrderValue() + " (expected: a constant of JobOrder)");
    }
    checks.throwIfAny();
    Optional<String> queue = Names.queueOrAll("parent", request.getParent());
    return new JobLister(request, queue, filter, order == null ? JobOrder.ID : order)
        .page(snapshot, store);
  }

  private Listed page(Snapshot snapshot, StateStore store) {
    JobSlice open = filter.includesOpen() ? open(snapshot) : new JobSlice(List.of(), null, 0);
    JobSlice ended =
        filter.includesEnded() ? store.jobs(ended(open.end())) : new JobSlice(List.of(), null, 0);
    JobPlace end = earlier(open.end(), ended.end());
    List<Job> jobs = merged(open.jobs(), ended.jobs(), end);
    List<Job> first = jobs.subList(0, Math.min(size, jobs.size()));
    ListJobsResponse.Builder page = ListJobsResponse.newBuilder();
    int bytes = 0;
    for (JobView view : views(first, snapshot, store)) {
      if (bytes >= MAX_PAGE_BYTES) {
        break;
      }
      io.quotashare.proto.v1.Job job = JobWriter.job(view);
      bytes += job.getSerializedSize();
      page.addJobs(job);
    }
    if (page.getJobsCount() < jobs.size()) {
      page.setNextPageToken(token(JobPlace.of(jobs.get(page.getJobsCount() - 1))));
    } else if (end != null) {
      page.setNextPageToken(token(end));
    }
    return new Listed(page.build(), open.looked() + ended.looked());
  }

  /** Jobs that have not ended, one more than the page takes. */
  private JobSlice open(Snapshot snapshot) {
    List<Job> jobs = new ArrayList<>();
    JobPlace last = null;
    int looked = 0;
    for (JobKey key : snapshot.open().in(order, queue, after)) {
      if (looked == MAX_LOOKED || jobs.size() > size) {
        return new JobSlice(jobs, last, looked);
      }
      looked++;
      Job job = snapshot.requireJob(key).job();
      last = JobPlace.of(job);
      if (filter.matches(job)) {
        jobs.add(job);
      }
    }
    return new JobSlice(jobs, null, looked);
  }

  /** Jobs that have ended, up to the place up to which the others are known. */
  private JobQuery ended(@Nullable JobPlace until) {
    Set<JobState> states = EnumSet.noneOf(JobState.class);
    filter.states().stream().filter(JobState::isTerminal).forEach(states::add);
    return new JobQuery(
        order,
        queue.orElse(""),
        filter.share(),
        states,
        filter.labels(),
        after,
        until,
        size + 1,
        Math.max(MAX_LOOKED, size + 1));
  }

  private @Nullable JobPlace earlier(@Nullable JobPlace a, @Nullable JobPlace b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return order.places().compare(a, b) <= 0 ? a : b;
  }

  /**
   * Both in one order, up to a place; a job that has ended since the snapshot is what the store
   * says.
   */
  private List<Job> merged(List<Job> open, List<Job> ended, @Nullable JobPlace end) {
    Set<JobKey> over = new HashSet<>();
    ended.forEach(job -> over.add(job.key()));
    List<Job> all = new ArrayList<>(ended);
    open.stream().filter(job -> !over.contains(job.key())).forEach(all::add);
    all.removeIf(job -> end != null && order.places().compare(JobPlace.of(job), end) > 0);
    all.sort((a, b) -> order.places().compare(JobPlace.of(a), JobPlace.of(b)));
    return all;
  }

  private static List<JobView> views(List<Job> jobs, Snapshot snapshot, StateStore store) {
    List<AttemptKey> wanted =
        jobs.stream()
            .filter(job -> job.state().isTerminal() && job.attempts() > 0)
            .map(Job::newestAttempt)
            .toList();
    Map<JobKey, Attempt> attempts = wanted.isEmpty() ? Map.of() : store.attempts(wanted);
    return jobs.stream()
        .map(
            job ->
                job.state().isTerminal()
                    ? new JobView(job, attempts.get(job.key()))
                    : snapshot.requireJob(job.key()))
        .toList();
  }

  // Tokens

  private String token(JobPlace place) {
    return Pages.token(list, place.sequence() + " " + place.key());
  }

  private static @Nullable JobPlace place(String text) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      int blank = text.indexOf(' ');
      long sequence = Long.parseLong(text.substring(0, Math.max(0, blank)));
      return new JobPlace(Names.job("page_token", text.substring(blank + 1)), sequence);
    } catch (NumberFormatException e) {
      throw Pages.foreign(text);
    }
  }
}
