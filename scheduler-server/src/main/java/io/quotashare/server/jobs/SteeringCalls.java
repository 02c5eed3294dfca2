package io.quotashare.server.jobs;

import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.CancelJobResponse;
import io.quotashare.proto.v1.CheckpointJobRequest;
import io.quotashare.proto.v1.CheckpointJobResponse;
import io.quotashare.proto.v1.HoldJobRequest;
import io.quotashare.proto.v1.HoldJobResponse;
import io.quotashare.proto.v1.ReleaseJobRequest;
import io.quotashare.proto.v1.ReleaseJobResponse;
import io.quotashare.proto.v1.RequeueJobRequest;
import io.quotashare.proto.v1.RequeueJobResponse;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import io.quotashare.proto.v1.UpdateJobPriorityResponse;
import io.quotashare.server.engine.EngineCall;
import io.quotashare.server.engine.Step;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.store.AuditEvent;

/** What users do with one job, on its way into the scheduler. Every call leaves an audit event. */
final class SteeringCalls {
  private static final int MAX_REASON_LENGTH = 512;
  private static final String HELD = "held";
  private static final String NOT_HELD = "not held";

  private SteeringCalls() {}

  /** Checks a reason that is recorded. */
  static void checkReason(String reason, FieldChecks checks) {
    checks.check(
        reason.length() <= MAX_REASON_LENGTH && JobSpecReader.isOneLine(reason),
        "reason",
        reason,
        "one line of at most " + MAX_REASON_LENGTH + " characters");
  }

  static EngineCall<UpdateJobPriorityResponse> updatePriority(
      String principal, JobKey key, UpdateJobPriorityRequest request) {
    Audit audit = new Audit(principal, "UPDATE_JOB_PRIORITY", key, request.getRequestId());
    return step -> {
      Job before = JobStates.require(step.scheduler(), key);
      JobStates.checkEtag(before, request.getEtag());
      step.scheduler().setPriority(key, request.getPriority(), step.nowMillis());
      String after = Integer.toString(request.getPriority());
      audit.add(step, Integer.toString(before.priority()), after, "");
      return decided ->
          UpdateJobPriorityResponse.newBuilder().setJob(job(decided.scheduler(), key)).build();
    };
  }

  static EngineCall<HoldJobResponse> hold(String principal, JobKey key, HoldJobRequest request) {
    Audit audit = new Audit(principal, "HOLD_JOB", key, request.getRequestId());
    return step -> {
      Job before = JobStates.require(step.scheduler(), key);
      JobStates.checkEtag(before, request.getEtag());
      step.scheduler().hold(key, step.nowMillis());
      audit.add(step, words(before), HELD, "");
      return decided -> HoldJobResponse.newBuilder().setJob(job(decided.scheduler(), key)).build();
    };
  }

  static EngineCall<ReleaseJobResponse> release(
      String principal, JobKey key, ReleaseJobRequest request) {
    Audit audit = new Audit(principal, "RELEASE_JOB", key, request.getRequestId());
    return step -> {
      Job before = JobStates.require(step.scheduler(), key);
      JobStates.checkEtag(before, request.getEtag());
      step.scheduler().release(key, step.nowMillis());
      audit.add(step, words(before), NOT_HELD, "");
      return decided ->
          ReleaseJobResponse.newBuilder().setJob(job(decided.scheduler(), key)).build();
    };
  }

  private static String words(Job job) {
    return job.held() ? HELD : NOT_HELD;
  }

  static EngineCall<RequeueJobResponse> requeue(
      String principal, JobKey key, RequeueJobRequest request) {
    Audit audit = new Audit(principal, "REQUEUE_JOB", key, request.getRequestId());
    return step -> {
      Job before = JobStates.require(step.scheduler(), key);
      JobStates.checkEtag(before, request.getEtag());
      step.scheduler().requeue(key, request.getHold(), request.getReason(), step.nowMillis());
      audit.add(step, before.state().name(), request.getHold() ? HELD : "", request.getReason());
      return decided ->
          RequeueJobResponse.newBuilder().setJob(job(decided.scheduler(), key)).build();
    };
  }

  static EngineCall<CheckpointJobResponse> checkpoint(
      String principal, JobKey key, CheckpointJobRequest request) {
    Audit audit = new Audit(principal, "CHECKPOINT_JOB", key, request.getRequestId());
    return step -> {
      JobStates.require(step.scheduler(), key);
      Attempt asked = step.scheduler().checkpoint(key, step.nowMillis());
      audit.add(step, "", "request " + asked.newestSaveRequest(), "of " + asked.key());
      return decided ->
          CheckpointJobResponse.newBuilder().setJob(job(decided.scheduler(), key)).build();
    };
  }

  static EngineCall<CancelJobResponse> cancel(
      String principal, JobKey key, CancelJobRequest request) {
    return step -> {
      cancel(step, principal, key, request.getRequestId(), request.getReason());
      return decided ->
          CancelJobResponse.newBuilder().setJob(job(decided.scheduler(), key)).build();
    };
  }

  /** Cancels one job. */
  static void cancel(Step step, String principal, JobKey key, String requestId, String reason) {
    Job before = JobStates.require(step.scheduler(), key);
    step.scheduler().cancel(key, reason, step.nowMillis());
    new Audit(principal, "CANCEL_JOB", key, requestId).add(step, before.state().name(), "", reason);
  }

  private static io.quotashare.proto.v1.Job job(Scheduler scheduler, JobKey key) {
    return JobWriter.job(JobStates.view(scheduler, key));
  }

  /** Who did what to which job. */
  private record Audit(String principal, String action, JobKey job, String requestId) {
    void add(Step step, String before, String after, String detail) {
      step.audit(
          new AuditEvent(principal, action, job.toString(), requestId, before, after, detail));
    }
  }
}
