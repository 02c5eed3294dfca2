package io.quotashare.server.queues;

import io.quotashare.proto.v1.Preemption;
import io.quotashare.server.grpc.Times;
import io.quotashare.server.jobs.AttemptWriter;
import io.quotashare.server.jobs.JobWriter;

/** Preemptions of the core in the words of the contract. */
final class PreemptionWriter {
  private PreemptionWriter() {}

  static Preemption preemption(io.quotashare.core.model.Preemption preemption) {
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
