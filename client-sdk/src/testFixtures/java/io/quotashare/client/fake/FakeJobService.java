package io.quotashare.client.fake;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.quotashare.proto.v1.Attempt;
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
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobEventType;
import io.quotashare.proto.v1.JobOrder;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.JobState;
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
import io.quotashare.proto.v1.SubmitJobOutcome;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.SubmitJobResponse;
import io.quotashare.proto.v1.SubmitJobsRequest;
import io.quotashare.proto.v1.SubmitJobsResponse;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import io.quotashare.proto.v1.UpdateJobPriorityResponse;
import io.quotashare.proto.v1.WatchJobsRequest;
import io.quotashare.proto.v1.WatchJobsResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The job service of the fake. */
final class FakeJobService extends JobServiceGrpc.JobServiceImplBase {
  /** Pages are small, so that a test of a few jobs turns them. */
  static final int MAX_PAGE = 2;

  private static final int LOG_PIECE = 8;

  private static final Set<JobState> TERMINAL =
      Set.of(JobState.JOB_STATE_SUCCEEDED, JobState.JOB_STATE_FAILED, JobState.JOB_STATE_CANCELLED);

  private final FakeScheduler scheduler;
  private final Map<String, SubmitJobResponse> answers = new HashMap<>();
  private int made;

  FakeJobService(FakeScheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public synchronized void submitJob(
      SubmitJobRequest request, StreamObserver<SubmitJobResponse> to) {
    Replies.answer(to, () -> submit(request));
  }

  @Override
  public synchronized void submitJobs(
      SubmitJobsRequest request, StreamObserver<SubmitJobsResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          SubmitJobsResponse.Builder response = SubmitJobsResponse.newBuilder();
          request.getRequestsList().forEach(one -> response.addOutcomes(outcome(one)));
          return response.build();
        });
  }

  private SubmitJobOutcome outcome(SubmitJobRequest request) {
    try {
      return SubmitJobOutcome.newBuilder().setJob(submit(request).getJob()).build();
    } catch (StatusRuntimeException e) {
      return SubmitJobOutcome.newBuilder().setError(Replies.error(e)).build();
    }
  }

  /** Submits, or repeats the first answer; throws the failure that is next for a submission. */
  private SubmitJobResponse submit(SubmitJobRequest request) {
    scheduler.received(request);
    SubmitJobResponse first = answers.get(request.getRequestId());
    if (first != null) {
      return first;
    }
    String id = request.getJobId().isEmpty() ? "j-" + ++made : request.getJobId();
    Job job =
        FakeJobs.job(id, "x", 0).toBuilder()
            .setSpec(request.getSpec())
            .setTotalGpus(Math.max(1, request.getSpec().getGpus()))
            .setState(JobState.JOB_STATE_SUBMITTED)
            .build();
    SubmitJobResponse response = SubmitJobResponse.newBuilder().setJob(job).build();
    if (!request.getValidateOnly()) {
      scheduler.jobs.add(job);
      answers.put(request.getRequestId(), response);
    }
    return response;
  }

  @Override
  public void planJob(PlanJobRequest request, StreamObserver<PlanJobResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return scheduler.jobs.plan.toBuilder()
              .setJob(FakeJobs.job("planned", "x", 0).toBuilder().setSpec(request.getSpec()))
              .build();
        });
  }

  @Override
  public void getJob(GetJobRequest request, StreamObserver<GetJobResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return GetJobResponse.newBuilder().setJob(scheduler.jobs.get(request.getName())).build();
        });
  }

  @Override
  public void listJobs(ListJobsRequest request, StreamObserver<ListJobsResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          List<Job> wanted =
              scheduler.jobs.all().stream()
                  .filter(job -> matches(request, job))
                  .sorted(JobOrders.of(request.getOrder()))
                  .toList();
          int from =
              request.getPageToken().isEmpty() ? 0 : Integer.parseInt(request.getPageToken());
          int end = Math.min(wanted.size(), from + MAX_PAGE);
          return ListJobsResponse.newBuilder()
              .addAllJobs(wanted.subList(from, end))
              .setNextPageToken(end < wanted.size() ? String.valueOf(end) : "")
              .build();
        });
  }

  @Override
  public void watchJobs(WatchJobsRequest request, StreamObserver<WatchJobsResponse> to) {
    try {
      scheduler.received(request);
    } catch (StatusRuntimeException e) {
      to.onError(e);
      return;
    }
    ((ServerCallStreamObserver<WatchJobsResponse>) to)
        .setOnCancelHandler(() -> scheduler.jobs.unwatch(to));
    scheduler.jobs.watch(request, to);
  }

  @Override
  public void updateJobPriority(
      UpdateJobPriorityRequest request, StreamObserver<UpdateJobPriorityResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          scheduler.jobs.check(request.getName(), request.getEtag());
          Job changed =
              scheduler.jobs.change(
                  request.getName(),
                  JobEventType.JOB_EVENT_TYPE_PRIORITY,
                  b -> b.setSpec(b.getSpec().toBuilder().setPriority(request.getPriority())));
          return UpdateJobPriorityResponse.newBuilder().setJob(changed).build();
        });
  }

  @Override
  public void holdJob(HoldJobRequest request, StreamObserver<HoldJobResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          scheduler.jobs.check(request.getName(), request.getEtag());
          return HoldJobResponse.newBuilder().setJob(setHeld(request.getName(), true)).build();
        });
  }

  @Override
  public void releaseJob(ReleaseJobRequest request, StreamObserver<ReleaseJobResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          scheduler.jobs.check(request.getName(), request.getEtag());
          return ReleaseJobResponse.newBuilder().setJob(setHeld(request.getName(), false)).build();
        });
  }

  private Job setHeld(String name, boolean held) {
    return scheduler.jobs.change(
        name, JobEventType.JOB_EVENT_TYPE_UPDATED, job -> job.setHeld(held));
  }

  @Override
  public void requeueJob(RequeueJobRequest request, StreamObserver<RequeueJobResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          scheduler.jobs.check(request.getName(), request.getEtag());
          Job job =
              scheduler.jobs.change(
                  request.getName(),
                  JobEventType.JOB_EVENT_TYPE_PREEMPTING,
                  b -> b.setState(JobState.JOB_STATE_PREEMPTING).setHeld(request.getHold()));
          return RequeueJobResponse.newBuilder().setJob(job).build();
        });
  }

  @Override
  public void checkpointJob(
      CheckpointJobRequest request, StreamObserver<CheckpointJobResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          if (!scheduler.jobs.get(request.getName()).hasLatestAttempt()) {
            throw FakeScheduler.failure(
                Status.Code.FAILED_PRECONDITION,
                request.getName() + " does not run",
                "JOB_NOT_RUNNING");
          }
          Job job =
              scheduler.jobs.change(
                  request.getName(),
                  JobEventType.JOB_EVENT_TYPE_UPDATED,
                  b ->
                      b.setLatestAttempt(
                          b.getLatestAttempt().toBuilder()
                              .setCheckpointRequestSeq(
                                  b.getLatestAttempt().getCheckpointRequestSeq() + 1)));
          return CheckpointJobResponse.newBuilder().setJob(job).build();
        });
  }

  @Override
  public void cancelJobs(CancelJobsRequest request, StreamObserver<CancelJobsResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          List<Job> wanted =
              scheduler.jobs.all().stream()
                  .filter(job -> matches(request, job))
                  .sorted(JobOrders.of(JobOrder.JOB_ORDER_OLDEST_FIRST))
                  .toList();
          List<Job> some = wanted.subList(0, Math.min(MAX_PAGE, wanted.size()));
          if (!request.getValidateOnly()) {
            some.forEach(job -> cancel(job.getName(), request.getReason()));
          }
          return CancelJobsResponse.newBuilder()
              .addAllJobs(some.stream().map(Job::getName).toList())
              .setRemaining(wanted.size() - some.size())
              .build();
        });
  }

  private Job cancel(String name, String reason) {
    return scheduler.jobs.change(
        name,
        JobEventType.JOB_EVENT_TYPE_CANCELLED,
        job -> job.setState(JobState.JOB_STATE_CANCELLED).setEndReason("cancelled: " + reason));
  }

  @Override
  public void cancelJob(CancelJobRequest request, StreamObserver<CancelJobResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          Job job = cancel(request.getName(), request.getReason());
          return CancelJobResponse.newBuilder().setJob(job).build();
        });
  }

  @Override
  public void explainJob(ExplainJobRequest request, StreamObserver<ExplainJobResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          return ExplainJobResponse.newBuilder()
              .setJob(scheduler.jobs.get(request.getName()))
              .setSummary("it waits")
              .addDetails("two GPUs are being taken back")
              .addStoppingJobs("victim")
              .build();
        });
  }

  @Override
  public void listAttempts(ListAttemptsRequest request, StreamObserver<ListAttemptsResponse> to) {
    Replies.answer(
        to,
        () -> {
          scheduler.received(request);
          scheduler.jobs.get(request.getParent());
          List<Attempt> all = scheduler.jobs.attempts(request.getParent());
          return ListAttemptsResponse.newBuilder().addAllAttempts(all).build();
        });
  }

  @Override
  public void streamJobLogs(
      StreamJobLogsRequest request, StreamObserver<StreamJobLogsResponse> to) {
    try {
      scheduler.received(request);
      Job job = scheduler.jobs.get(request.getName());
      int attempt = request.getAttempt() == 0 ? job.getAttemptCount() : request.getAttempt();
      ByteString text = scheduler.jobs.log(request.getName(), attempt);
      for (long at = request.getOffset(); at < text.size(); at += LOG_PIECE) {
        int end = (int) Math.min(text.size(), at + LOG_PIECE);
        to.onNext(
            StreamJobLogsResponse.newBuilder()
                .setAttempt(attempt)
                .setOffset(at)
                .setData(text.substring((int) at, end))
                .build());
      }
      to.onCompleted();
    } catch (StatusRuntimeException e) {
      to.onError(e);
    }
  }

  private static boolean matches(ListJobsRequest request, Job job) {
    boolean queue =
        request.getParent().equals("queues/-") || job.getName().startsWith(request.getParent());
    return queue
        && matches(request.getStatesList(), request.getShare(), request.getLabelsMap(), job);
  }

  private static boolean matches(CancelJobsRequest request, Job job) {
    return job.getName().startsWith(request.getParent() + "/")
        && !TERMINAL.contains(job.getState())
        && matches(request.getStatesList(), request.getShare(), request.getLabelsMap(), job);
  }

  private static boolean matches(
      List<JobState> states, String share, Map<String, String> labels, Job job) {
    return (states.isEmpty() || states.contains(job.getState()))
        && (share.isEmpty() || job.getSpec().getShare().endsWith("/shares/" + share))
        && job.getSpec().getLabelsMap().entrySet().containsAll(labels.entrySet());
  }
}
