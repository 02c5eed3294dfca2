package io.quotashare.server.jobs;

import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Preemption;
import io.quotashare.proto.v1.PlannedVictim;
import org.jspecify.annotations.Nullable;

/** Jobs that would be stopped, in the words of the contract. */
public final class VictimWriter {
  private VictimWriter() {}

  /**
   * A job that would be stopped.
   *
   * @param planned the job that is planned, which is not named as a beneficiary; null for none
   */
  public static PlannedVictim victim(Preemption victim, @Nullable JobKey planned) {
    JobKey beneficiary = victim.beneficiary();
    return PlannedVictim.newBuilder()
        .setJob(victim.victim().job().toString())
        .setShare(victim.share().share())
        .setCause(AttemptWriter.cause(victim.cause()))
        .setBeneficiaryJob(
            beneficiary == null || beneficiary.equals(planned) ? "" : beneficiary.id())
        .setGpus(victim.gpus())
        .setCostDeviceSeconds(victim.expectedCostDeviceMillis() / 1000.0)
        .build();
  }
}
