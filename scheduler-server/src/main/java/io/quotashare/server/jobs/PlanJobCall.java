package io.quotashare.server.jobs;

import io.quotashare.core.Scheduler;
import io.quotashare.core.Trial;
import io.quotashare.core.Trials;
import io.quotashare.core.model.JobKey;
import io.quotashare.proto.v1.PlanJobRequest;
import io.quotashare.proto.v1.PlanJobResponse;
import io.quotashare.server.dryrun.DryRuns;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.view.JobView;

/** What a submission would do now. */
record PlanJobCall(String queue, JobDraft draft, JobIds ids)
    implements DryRuns.Question<PlanJobResponse> {
  /**
   * Checks what SubmitJob checks without the state.
   *
   * @throws io.grpc.StatusRuntimeException INVALID_ARGUMENT with every field that is wrong
   */
  static PlanJobCall of(PlanJobRequest request, JobIds ids) {
    String queue = Names.queue("parent", request.getParent());
    FieldChecks checks = new FieldChecks();
    if (!request.hasSpec()) {
      checks.reject("spec", "unset (expected: what to run)");
    }
    JobDraft draft = JobSpecReader.read(request.getSpec(), queue, checks.in("spec"));
    checks.throwIfAny();
    return new PlanJobCall(queue, draft, ids);
  }

  @Override
  public PlanJobResponse ask(Scheduler copy, long nowMillis) {
    JobKey key = new JobKey(queue, ids.next());
    Trial.OfJob trial =
        Trials.submit(copy, key, draft.resolve(copy, key), draft.priority(), nowMillis);
    PlanJobResponse.Builder response =
        PlanJobResponse.newBuilder()
            .setJob(JobWriter.job(new JobView(trial.job(), trial.attempt())))
            .setOwnDevices(trial.ownDevices())
            .setBorrowedDevices(trial.borrowedDevices())
            .setSummary(trial.summary())
            .addAllDetails(trial.details());
    if (trial.attempt() != null) {
      response.addAllPlacement(AttemptWriter.attempt(trial.attempt()).getPlacementList());
    }
    trial.victims().forEach(victim -> response.addVictims(VictimWriter.victim(victim, key)));
    trial.rejected().forEach(other -> response.addRejected(JobWriter.rejected(other)));
    return response.build();
  }
}
