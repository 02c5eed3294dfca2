package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Record of one attempt that a queue which only observes would have stopped ({@link
 * PreemptionMode#OBSERVE_ONLY}). All victims of one decision carry the same number. An attempt may
 * be named by any number of decisions.
 *
 * @param decision number of the decision, from the same counter as {@link Plan#id}
 * @param victim the attempt
 * @param share its share
 * @param beneficiary job that it was for; null for causes without one
 * @param beneficiaryShare share of that job; null likewise
 * @param cause RECLAIM, IN_SHARE or CAPACITY_LOWERED
 * @param gpus devices that it held
 * @param decidedAtMillis when it was decided
 * @param expectedCostDeviceMillis cost that it was chosen with
 * @param approximate whether a search bound ended the choice early
 * @param rejected others that were not chosen, at most {@link Plan#MAX_REJECTED}
 */
public record ObservedPreemption(
    long decision,
    AttemptKey victim,
    ShareKey share,
    @Nullable JobKey beneficiary,
    @Nullable ShareKey beneficiaryShare,
    StopCause cause,
    int gpus,
    long decidedAtMillis,
    long expectedCostDeviceMillis,
    boolean approximate,
    List<RejectedAlternative> rejected) {
  public ObservedPreemption {
    requireNonNull(victim, "victim is null");
    requireNonNull(share, "share is null");
    requireNonNull(cause, "cause is null");
    rejected = List.copyOf(rejected);
  }
}
