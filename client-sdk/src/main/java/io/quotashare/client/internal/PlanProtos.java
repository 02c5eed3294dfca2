package io.quotashare.client.internal;

import io.quotashare.client.CancelResult;
import io.quotashare.client.ErrorDetails;
import io.quotashare.client.Job;
import io.quotashare.client.JobPlan;
import io.quotashare.client.PlannedVictim;
import io.quotashare.client.PolicyPlan;
import io.quotashare.client.PolicyResult;
import io.quotashare.client.SubmitOutcome;
import io.quotashare.proto.v1.ApplyPolicyResponse;
import io.quotashare.proto.v1.CancelJobsResponse;
import io.quotashare.proto.v1.PlanJobResponse;
import io.quotashare.proto.v1.PlanPolicyResponse;
import io.quotashare.proto.v1.SubmitJobError;
import io.quotashare.proto.v1.SubmitJobOutcome;
import java.util.function.Function;

/** Plans, and what became of policies and batches, between the wire and the client. */
public final class PlanProtos {
  private PlanProtos() {}

  static JobPlan fromProto(PlanJobResponse plan) {
    return new JobPlan(
        JobProtos.fromProto(plan.getJob()),
        plan.getPlacementList().stream().map(JobProtos::fromProto).toList(),
        plan.getOwnDevices(),
        plan.getBorrowedDevices(),
        plan.getVictimsList().stream().map(PlanProtos::fromProto).toList(),
        plan.getRejectedList().stream().map(JobProtos::fromProto).toList(),
        plan.getSummary(),
        plan.getDetailsList());
  }

  /** The message of a plan. */
  public static PlanJobResponse toProto(JobPlan plan) {
    return PlanJobResponse.newBuilder()
        .setJob(JobProtos.toProto(plan.job()))
        .addAllPlacement(plan.placement().stream().map(JobProtos::toProto).toList())
        .setOwnDevices(plan.ownDevices())
        .setBorrowedDevices(plan.borrowedDevices())
        .addAllVictims(plan.victims().stream().map(PlanProtos::toProto).toList())
        .addAllRejected(plan.rejected().stream().map(JobProtos::toProto).toList())
        .setSummary(plan.summary())
        .addAllDetails(plan.details())
        .build();
  }

  private static PlannedVictim fromProto(io.quotashare.proto.v1.PlannedVictim victim) {
    return new PlannedVictim(
        victim.getJob(),
        victim.getShare(),
        JobProtos.CAUSES.fromProto(victim.getCause()),
        victim.getBeneficiaryJob(),
        victim.getGpus(),
        victim.getCostDeviceSeconds());
  }

  private static io.quotashare.proto.v1.PlannedVictim toProto(PlannedVictim victim) {
    return io.quotashare.proto.v1.PlannedVictim.newBuilder()
        .setJob(victim.job())
        .setShare(victim.share())
        .setCause(JobProtos.CAUSES.toProto(victim.cause()))
        .setBeneficiaryJob(victim.beneficiaryJob())
        .setGpus(victim.gpus())
        .setCostDeviceSeconds(victim.costDeviceSeconds())
        .build();
  }

  static PolicyResult fromProto(ApplyPolicyResponse response) {
    return new PolicyResult(
        response.getCreatedList(),
        response.getUpdatedList(),
        response.getUnchangedList(),
        response.getUnmanagedList(),
        response.getWarningsList(),
        response.getRemovedList());
  }

  /** The message of a result. */
  public static ApplyPolicyResponse toProto(PolicyResult result) {
    return ApplyPolicyResponse.newBuilder()
        .addAllCreated(result.created())
        .addAllUpdated(result.updated())
        .addAllUnchanged(result.unchanged())
        .addAllUnmanaged(result.unmanaged())
        .addAllWarnings(result.warnings())
        .addAllRemoved(result.removed())
        .build();
  }

  static PolicyPlan fromProto(PlanPolicyResponse plan) {
    return new PolicyPlan(
        fromProto(plan.getChanges()),
        plan.getWouldStartList(),
        plan.getWouldStopList().stream().map(PlanProtos::fromProto).toList(),
        plan.getWouldCancelList(),
        plan.getWouldWait(),
        plan.getUnlistedJobs());
  }

  /** The message of a plan. */
  public static PlanPolicyResponse toProto(PolicyPlan plan) {
    return PlanPolicyResponse.newBuilder()
        .setChanges(toProto(plan.changes()))
        .addAllWouldStart(plan.wouldStart())
        .addAllWouldStop(plan.wouldStop().stream().map(PlanProtos::toProto).toList())
        .addAllWouldCancel(plan.wouldCancel())
        .setWouldWait(plan.wouldWait())
        .setUnlistedJobs(plan.unlistedJobs())
        .build();
  }

  static SubmitOutcome fromProto(SubmitJobOutcome outcome, Function<Job, SubmitOutcome> accepted) {
    if (outcome.hasJob()) {
      return accepted.apply(JobProtos.fromProto(outcome.getJob()));
    }
    SubmitJobError error = outcome.getError();
    return new SubmitOutcome.Refused(error.getCode(), Errors.toException(error));
  }

  /** The message of an outcome. */
  public static SubmitJobOutcome toProto(SubmitOutcome outcome) {
    if (outcome instanceof SubmitOutcome.Refused refused) {
      ErrorDetails details = refused.failure().details();
      return SubmitJobOutcome.newBuilder()
          .setError(
              SubmitJobError.newBuilder()
                  .setCode(refused.code())
                  .setReason(details.reason())
                  .setMessage(details.message())
                  .putAllMetadata(details.metadata()))
          .build();
    }
    SubmitOutcome.Accepted accepted = (SubmitOutcome.Accepted) outcome;
    return SubmitJobOutcome.newBuilder().setJob(JobProtos.toProto(accepted.job())).build();
  }

  static CancelResult fromProto(CancelJobsResponse response) {
    return new CancelResult(response.getJobsList(), response.getRemaining());
  }

  /** The message of a result. */
  public static CancelJobsResponse toProto(CancelResult result) {
    return CancelJobsResponse.newBuilder()
        .addAllJobs(result.jobs())
        .setRemaining(result.remaining())
        .build();
  }
}
