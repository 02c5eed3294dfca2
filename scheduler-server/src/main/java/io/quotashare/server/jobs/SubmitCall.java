package io.quotashare.server.jobs;

import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.SubmitJobResponse;
import io.quotashare.server.engine.EngineCall;
import io.quotashare.server.engine.RequestTag;
import io.quotashare.server.engine.Step;
import io.quotashare.server.engine.TaggedCall;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.grpc.Requests;
import io.quotashare.server.store.AuditEvent;
import io.quotashare.server.view.JobView;

/** One submission on its way into the scheduler. */
final class SubmitCall implements EngineCall<SubmitJobResponse> {
  private final String principal;
  private final String queue;
  private final SubmitJobRequest request;
  private final JobDraft draft;
  private final JobIds ids;

  private SubmitCall(
      String principal, String queue, SubmitJobRequest request, JobDraft draft, JobIds ids) {
    this.principal = principal;
    this.queue = queue;
    this.request = request;
    this.draft = draft;
    this.ids = ids;
  }

  /**
   * Checks what can be checked without the state.
   *
   * @throws io.grpc.StatusRuntimeException INVALID_ARGUMENT with every field that is wrong
   */
  static SubmitCall of(String principal, SubmitJobRequest request, JobIds ids) {
    String queue = Names.queue("parent", request.getParent());
    FieldChecks checks = new FieldChecks();
    checks.check(
        request.getJobId().isEmpty() || Names.isId(request.getJobId()),
        "job_id",
        request.getJobId(),
        Names.ID_RULE);
    if (!request.hasSpec()) {
      checks.reject("spec", "unset (expected: what to run)");
    }
    JobDraft draft = JobSpecReader.read(request.getSpec(), queue, checks.in("spec"));
    checks.throwIfAny();
    return new SubmitCall(principal, queue, request, draft, ids);
  }

  /** The same, given its first answer again where it is a repeat. */
  static TaggedCall<SubmitJobResponse> tagged(
      String principal, SubmitJobRequest request, JobIds ids) {
    SubmitCall call = of(principal, request, ids);
    RequestTag<SubmitJobResponse> tag =
        Requests.tag(
            principal, request.getRequestId(), "SubmitJob", request, SubmitJobResponse.parser());
    return new TaggedCall<>(call, request.getValidateOnly() ? null : tag);
  }

  @Override
  public Answer<SubmitJobResponse> apply(Step step) {
    Scheduler scheduler = step.scheduler();
    JobKey key = key(scheduler);
    JobSpec spec = draft.resolve(scheduler, key);
    if (request.getValidateOnly()) {
      scheduler.checkSubmit(key, spec, draft.priority());
      Job preview = Job.submitted(key, spec, draft.priority(), 0, step.nowMillis());
      return decided -> response(new JobView(preview, null));
    }
    scheduler.submit(key, spec, draft.priority(), step.nowMillis());
    step.audit(
        new AuditEvent(
            principal,
            "SUBMIT_JOB",
            key.toString(),
            request.getRequestId(),
            "",
            spec.shape() + " of " + spec.unit() + ", priority " + draft.priority(),
            "charged to " + spec.share()));
    return decided -> response(JobStates.view(decided.scheduler(), key));
  }

  private JobKey key(Scheduler scheduler) {
    if (!request.getJobId().isEmpty()) {
      return new JobKey(queue, request.getJobId());
    }
    JobKey key = new JobKey(queue, ids.next());
    while (scheduler.job(key).isPresent()) {
      key = new JobKey(queue, ids.next());
    }
    return key;
  }

  private static SubmitJobResponse response(JobView view) {
    return SubmitJobResponse.newBuilder().setJob(JobWriter.job(view)).build();
  }
}
