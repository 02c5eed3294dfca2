package io.quotashare.server.queues;

import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.proto.v1.Preemption;
import io.quotashare.server.grpc.Times;
import io.quotashare.server.jobs.AttemptWriter;
import io.quotashare.server.jobs.JobWriter;
import io.quotashare.server.store.RecordedPreemption;

/** Preemptions of the core in the words of the contract. */
final class PreemptionWriter {
  private PreemptionWriter() {}

  static Preemption preemption(RecordedPreemption entry) {
    return entry instanceof RecordedPreemption.Observed observed
        ? observed(observed.preemption())
        : enforced(((RecordedPreemption.Enforced) entry).preemption());
  }

  /** What is known of a victim that is not stopped; it has no times of its own. */
  private static Preemption observed(ObservedPreemption preemption) {
    Preemption.Builder result =
        Preemption.newBuilder()
            .setObservedOnly(true)
            .setJob(preemption.victim().job().toString())
            .setAttempt(preemption.victim().number())
            .setShare(preemption.share().share())
            .setBeneficiaryJob(
                preemption.beneficiary() == null ? "" : preemption.beneficiary().id())
            .setBeneficiaryShare(
                preemption.beneficiaryShare() == null ? "" : preemption.beneficiaryShare().share())
            .setCause(AttemptWriter.cause(preemption.cause()))
            .setGpus(preemption.gpus())
            .setRequestedAt(Times.timestamp(preemption.decidedAtMillis()))
            .setExpectedCostDeviceSeconds(preemption.expectedCostDeviceMillis() / 1000.0)
            .setApproximate(preemption.approximate());
    preemption.rejected().forEach(r -> result.addRejected(JobWriter.rejected(r)));
    return result.build();
  }

  private static Preemption enforced(io.quotashare.core.model.Preemption preemption) {
    Preemption.Builder result =
        Preemption.newBuilder()
            .setJob(preemption.victim().job().toString())
            .setAttempt(preemption.victim().number())
            .setShare(preemption.share().share())
            .setBeneficiaryJob(
                preemption.beneficiary() == null ? "" : preemption.beneficiary().id())
            .setBeneficiaryShare(
                preemption.beneficiaryShare() == null ? "" : preemption.beneficiaryShare().share())
            .setCause(AttemptWriter.cause(preemption.cause()))
            .setGpus(preemption.gpus())
            .setRequestedAt(Times.timestamp(preemption.requestedAtMillis()))
            .setDeadline(Times.timestamp(preemption.deadlineMillis()))
            .setExpectedCostDeviceSeconds(preemption.expectedCostDeviceMillis() / 1000.0)
            .setLostDeviceSeconds(preemption.lostDeviceMillis() / 1000.0)
            .setApproximate(preemption.approximate());
    preemption.savedAtMillis().ifPresent(at -> result.setSavedAt(Times.timestamp(at)));
    preemption
        .freedAtMillis()
        .ifPresent(
            at ->
                result
                    .setFreedAt(Times.timestamp(at))
                    .setDuration(Times.duration(at - preemption.requestedAtMillis())));
    preemption.rejected().forEach(r -> result.addRejected(JobWriter.rejected(r)));
    return result.build();
  }
}
