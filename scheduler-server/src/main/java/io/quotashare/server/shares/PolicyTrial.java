package io.quotashare.server.shares;

import io.quotashare.core.Policy;
import io.quotashare.core.Scheduler;
import io.quotashare.core.Trial;
import io.quotashare.core.Trials;
import io.quotashare.core.model.JobKey;
import io.quotashare.proto.v1.PlanPolicyRequest;
import io.quotashare.proto.v1.PlanPolicyResponse;
import io.quotashare.server.dryrun.DryRuns;
import io.quotashare.server.jobs.VictimWriter;
import java.util.List;

/** What a policy would do now. */
record PolicyTrial(Policy policy, boolean drainNow)
    implements DryRuns.Question<PlanPolicyResponse> {
  /** Most jobs that each list of the answer names. */
  static final int MAX_LISTED = 1000;

  static PolicyTrial of(PlanPolicyRequest request) {
    return new PolicyTrial(
        PolicyReader.read(request.getQueuesList(), request.getPrune()), request.getDrainNow());
  }

  @Override
  public PlanPolicyResponse ask(Scheduler copy, long nowMillis) {
    Trial.OfPolicy trial = Trials.apply(copy, policy, drainNow, nowMillis);
    PlanPolicyResponse.Builder response =
        PlanPolicyResponse.newBuilder()
            .setChanges(PolicyCall.response(trial.changes()))
            .addAllWouldStart(names(trial.wouldStart()))
            .addAllWouldCancel(names(trial.wouldCancel()))
            .setWouldWait(trial.wouldWait())
            .setUnlistedJobs(
                beyond(trial.wouldStart())
                    + beyond(trial.wouldStop())
                    + beyond(trial.wouldCancel()));
    trial.wouldStop().stream()
        .limit(MAX_LISTED)
        .forEach(victim -> response.addWouldStop(VictimWriter.victim(victim, null)));
    return response.build();
  }

  private static List<String> names(List<JobKey> jobs) {
    return jobs.stream().limit(MAX_LISTED).map(JobKey::toString).toList();
  }

  private static int beyond(List<?> jobs) {
    return Math.max(0, jobs.size() - MAX_LISTED);
  }
}
