package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Record of one preemption (quota-semantics 6.5); an attempt is preempted at most once.
 *
 * @param victim the attempt
 * @param share its share
 * @param beneficiary job that it was for; null for causes without one
 * @param beneficiaryShare share of that job; null likewise
 * @param cause why
 * @param gpus devices that the victim held
 * @param requestedAtMillis when it was told to stop
 * @param deadlineMillis instant of SIGKILL
 * @param savedAtMillis when it confirmed a checkpoint
 * @param freedAtMillis when all its devices were free
 * @param expectedCostDeviceMillis cost that it was chosen with
 * @param lostDeviceMillis work lost; 0 until it has stopped
 * @param approximate whether a search bound ended the choice early
 * @param rejected others that were not chosen
 */
public record Preemption(
    AttemptKey victim,
    ShareKey share,
    @Nullable JobKey beneficiary,
    @Nullable ShareKey beneficiaryShare,
    StopCause cause,
    int gpus,
    long requestedAtMillis,
    long deadlineMillis,
    OptionalLong savedAtMillis,
    OptionalLong freedAtMillis,
    long expectedCostDeviceMillis,
    long lostDeviceMillis,
    boolean approximate,
    List<RejectedAlternative> rejected) {
  public Preemption {
    requireNonNull(victim, "victim is null");
    requireNonNull(share, "share is null");
    requireNonNull(cause, "cause is null");
    rejected = List.copyOf(rejected);
  }

  public Preemption saved(long nowMillis) {
    return new Preemption(
        victim,
        share,
        beneficiary,
        beneficiaryShare,
        cause,
        gpus,
        requestedAtMillis,
        deadlineMillis,
        OptionalLong.of(nowMillis),
        freedAtMillis,
        expectedCostDeviceMillis,
        lostDeviceMillis,
        approximate,
        rejected);
  }

  public Preemption freed(long nowMillis, long lost) {
    return new Preemption(
        victim,
        share,
        beneficiary,
        beneficiaryShare,
        cause,
        gpus,
        requestedAtMillis,
        deadlineMillis,
        savedAtMillis,
        OptionalLong.of(nowMillis),
        expectedCostDeviceMillis,
        lost,
        approximate,
        rejected);
  }
}
