package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One preemption (quota-semantics 6.5).
 *
 * @param job name of the victim, {@code queues/{queue}/jobs/{job}}
 * @param attempt attempt of the victim
 * @param share share of the victim
 * @param beneficiaryJob id of the job that it was for; empty for causes without one
 * @param beneficiaryShare share of that job
 * @param cause cause
 * @param gpus devices that the victim held
 * @param requestedAt when it was asked to stop
 * @param savedAt when it confirmed a checkpoint; null if it did not
 * @param freedAt when its devices were free; null before
 * @param deadline instant of SIGKILL
 * @param expectedCostDeviceSeconds cost that it was chosen with
 * @param lostDeviceSeconds work lost, known once it has stopped
 * @param approximate true if a search bound ended the choice early
 * @param rejected others that were not chosen
 * @param duration from the request to free devices; null before
 * @param observedOnly true if the queue only observed: the victim was chosen and not stopped
 */
public record Preemption(
    String job,
    int attempt,
    String share,
    String beneficiaryJob,
    String beneficiaryShare,
    PreemptionCause cause,
    int gpus,
    @Nullable Instant requestedAt,
    @Nullable Instant savedAt,
    @Nullable Instant freedAt,
    @Nullable Instant deadline,
    double expectedCostDeviceSeconds,
    double lostDeviceSeconds,
    boolean approximate,
    List<RejectedAlternative> rejected,
    @Nullable Duration duration,
    boolean observedOnly) {
  /** Checks that nothing required is null and copies the list. */
  public Preemption {
    requireNonNull(job, "job");
    requireNonNull(share, "share");
    requireNonNull(beneficiaryJob, "beneficiaryJob");
    requireNonNull(beneficiaryShare, "beneficiaryShare");
    requireNonNull(cause, "cause");
    rejected = List.copyOf(rejected);
  }

  /** Id of the victim. */
  public String jobId() {
    return ResourceNames.lastId(job);
  }
}
