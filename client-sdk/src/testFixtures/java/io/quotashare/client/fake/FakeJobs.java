package io.quotashare.client.fake;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.quotashare.proto.v1.Attempt;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobEvent;
import io.quotashare.proto.v1.JobEventType;
import io.quotashare.proto.v1.JobSpec;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.PlanJobResponse;
import io.quotashare.proto.v1.WatchJobsRequest;
import io.quotashare.proto.v1.WatchJobsResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The jobs of the fake and the log of what happened to them. */
public final class FakeJobs {
  /** Every test's time: 2026-03-01T12:00:00Z. */
  public static final long EPOCH_SECOND = 1_772_366_400L;

  /** Revision before the first event: never 0, which means "no revision" in a request. */
  private static final long FIRST_REVISION = 100;

  private record Watcher(WatchJobsRequest request, StreamObserver<WatchJobsResponse> to) {}

  private final Map<String, Job> jobs = new TreeMap<>();
  private final Map<String, List<Attempt>> attempts = new HashMap<>();
  private final Map<String, ByteString> logs = new HashMap<>();
  private final List<WatchJobsResponse> log = new ArrayList<>();

  /** What every plan says, but for its job. */
  public volatile PlanJobResponse plan = PlanJobResponse.getDefaultInstance();

  private final List<Watcher> watchers = new ArrayList<>();
  private long oldestKept;

  /** A job of share {@code share} in queue {@code q} that waits. */
  public static Job job(String id, String share, int priority) {
    return Job.newBuilder()
        .setName("queues/q/jobs/" + id)
        .setSpec(
            JobSpec.newBuilder()
                .setShare("queues/q/shares/" + share)
                .setDisplayName(id)
                .setNodes(1)
                .setGpusPerNode(1)
                .setUnit("H100")
                .setPriority(priority)
                .addCommand("true"))
        .setState(JobState.JOB_STATE_RUNNABLE)
        .setSubmittedAt(Timestamp.newBuilder().setSeconds(EPOCH_SECOND))
        .setEtag("1")
        .setTotalGpus(1)
        .build();
  }

  /** Puts a job without an event. */
  public synchronized void put(Job job) {
    jobs.put(job.getName(), job);
  }

  /** Puts the attempts of a job. */
  public synchronized void putAttempts(String name, List<Attempt> list) {
    attempts.put(name, List.copyOf(list));
  }

  /** Puts the output of an attempt of a job. */
  public synchronized void putLog(String name, int attempt, String text) {
    logs.put(name + "#" + attempt, ByteString.copyFromUtf8(text));
  }

  /** Changes a job and tells the watchers. */
  public synchronized void happen(
      String name, JobEventType type, UnaryOperator<Job.Builder> change) {
    Job changed = change.apply(jobs.get(name).toBuilder()).build();
    jobs.put(name, changed);
    append(type, changed, "");
  }

  /** Changes the state of a job and tells the watchers. */
  public void happen(String name, JobEventType type, JobState state) {
    happen(name, type, job -> job.setState(state));
  }

  /** Ends a job. */
  public void end(String name, JobState state, String reason) {
    JobEventType type = JobEventType.valueOf(state.name().replace("JOB_STATE_", "JOB_EVENT_TYPE_"));
    happen(name, type, job -> job.setState(state).setEndReason(reason));
  }

  /** Forgets the events up to and including this revision. */
  public synchronized void compactUpTo(long revision) {
    oldestKept = revision + 1;
  }

  /** Sends a bookmark to every watcher. */
  public synchronized void bookmark() {
    WatchJobsResponse bookmark = WatchJobsResponse.newBuilder().setRevision(lastRevision()).build();
    watchers.forEach(w -> w.to.onNext(bookmark));
  }

  /** Number of watchers that are connected. */
  public synchronized int watchers() {
    return watchers.size();
  }

  /** Revision of the newest event. */
  public synchronized long lastRevision() {
    return FIRST_REVISION + log.size();
  }

  /** The job, if there is one. */
  public synchronized Job get(String name) {
    Job job = jobs.get(name);
    if (job == null) {
      throw FakeScheduler.failure(Status.Code.NOT_FOUND, name + " does not exist", "JOB_NOT_FOUND");
    }
    return job;
  }

  /** Forgets a job, as a scheduler does that no longer keeps ended ones. */
  public synchronized void remove(String name) {
    jobs.remove(name);
  }

  /** Throws unless the job exists and has this etag, if one is given. */
  void check(String name, String etag) {
    Job job = get(name);
    if (!etag.isEmpty() && !etag.equals(job.getEtag())) {
      throw FakeScheduler.failure(
          Status.Code.ABORTED, "the job has changed since it was read", "ETAG_MISMATCH");
    }
  }

  synchronized List<Job> all() {
    return List.copyOf(jobs.values());
  }

  synchronized List<Attempt> attempts(String name) {
    return attempts.getOrDefault(name, List.of());
  }

  synchronized ByteString log(String name, int attempt) {
    return logs.getOrDefault(name + "#" + attempt, ByteString.EMPTY);
  }

  synchronized void add(Job job) {
    jobs.put(job.getName(), job);
    append(JobEventType.JOB_EVENT_TYPE_SUBMITTED, job, "accepted");
  }

  synchronized Job change(String name, JobEventType type, UnaryOperator<Job.Builder> change) {
    get(name);
    happen(name, type, change);
    return jobs.get(name);
  }

  synchronized void watch(WatchJobsRequest request, StreamObserver<WatchJobsResponse> to) {
    if (request.getRevision() > 0 && request.getRevision() + 1 < oldestKept) {
      to.onError(
          FakeScheduler.failure(
              Status.Code.OUT_OF_RANGE,
              "revision " + request.getRevision() + " is no longer kept: list again",
              "REVISION_COMPACTED"));
      return;
    }
    Watcher watcher = new Watcher(request, to);
    if (request.getRevision() == 0) {
      if (!request.getSkipSnapshot()) {
        jobs.values().stream()
            .map(job -> response(lastRevision(), JobEventType.JOB_EVENT_TYPE_SNAPSHOT, job, ""))
            .filter(r -> wants(watcher, r))
            .forEach(to::onNext);
      }
      to.onNext(WatchJobsResponse.newBuilder().setRevision(lastRevision()).build());
    } else {
      log.stream()
          .filter(r -> r.getRevision() > request.getRevision() && wants(watcher, r))
          .forEach(to::onNext);
    }
    watchers.add(watcher);
  }

  synchronized void unwatch(StreamObserver<WatchJobsResponse> to) {
    watchers.removeIf(w -> w.to == to);
  }

  synchronized void dropWatchers() {
    watchers.clear();
  }

  private void append(JobEventType type, Job job, String detail) {
    WatchJobsResponse response = response(lastRevision() + 1, type, job, detail);
    log.add(response);
    watchers.stream().filter(w -> wants(w, response)).forEach(w -> w.to.onNext(response));
  }

  private static WatchJobsResponse response(
      long revision, JobEventType type, Job job, String detail) {
    return WatchJobsResponse.newBuilder()
        .setRevision(revision)
        .setEvent(
            JobEvent.newBuilder()
                .setType(type)
                .setJob(job)
                .setDetail(detail)
                .setTime(
                    Timestamp.newBuilder().setSeconds(EPOCH_SECOND + revision - FIRST_REVISION)))
        .build();
  }

  private static boolean wants(Watcher watcher, WatchJobsResponse response) {
    String name = response.getEvent().getJob().getName();
    String id = watcher.request.getJobId();
    boolean queue =
        watcher.request.getParent().equals("queues/-")
            || name.startsWith(watcher.request.getParent() + "/");
    return queue && (id.isEmpty() || name.endsWith("/jobs/" + id));
  }
}
