package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A quota share as configured: what one team owns, and what it lets happen to it (quota-semantics
 * 1).
 *
 * @param queue id of its queue
 * @param id name of the share inside its queue
 * @param capacity owned devices by capacity unit, each 0 or more
 * @param strategy whether it lends and borrows
 * @param borrowLimitPercent percent of the own limit that may be borrowed on top; -1 is unlimited,
 *     0 none; null: not stated, which means unlimited unless {@code borrowLimit} is given
 * @param borrowLimit the same in devices by unit; not together with the percentage
 * @param lendLimitPercent percent of the own limit that may be lent, 0 to 100; null: not stated,
 *     which means 100 unless {@code lendLimit} is given
 * @param lendLimit the same in devices by unit; not together with the percentage
 * @param inSharePreemption whether a waiting job may stop jobs of lower priority in the same share
 * @param ordering order inside the share
 * @param weight for FAIR idle assignment, 1 to 1000000
 * @param minRuntime an attempt is protected from preemption for this long
 * @param state whether it takes jobs
 * @param etag changes with every change; not used when a policy is applied
 */
public record QuotaShare(
    String queue,
    String id,
    Map<String, Integer> capacity,
    SharingStrategy strategy,
    @Nullable Integer borrowLimitPercent,
    Map<String, Integer> borrowLimit,
    @Nullable Integer lendLimitPercent,
    Map<String, Integer> lendLimit,
    boolean inSharePreemption,
    ShareOrdering ordering,
    int weight,
    Duration minRuntime,
    AdminState state,
    String etag) {
  /** The value of {@link #borrowLimitPercent} without a bound. */
  public static final int UNLIMITED = -1;

  /** Largest {@link #weight}. */
  public static final int MAX_WEIGHT = 1_000_000;

  /** Checks that nothing is null and copies the collections. */
  public QuotaShare {
    requireNonNull(queue, "queue");
    requireNonNull(id, "id");
    capacity = Collect.copy(capacity);
    requireNonNull(strategy, "strategy");
    borrowLimit = Collect.copy(borrowLimit);
    lendLimit = Collect.copy(lendLimit);
    requireNonNull(ordering, "ordering");
    requireNonNull(minRuntime, "minRuntime");
    requireNonNull(state, "state");
    requireNonNull(etag, "etag");
  }

  /**
   * An enabled share without optional settings. Strategy and in-share preemption have no default:
   * the point of the system is that this decision is written down.
   */
  public static QuotaShare of(
      String queue,
      String id,
      Map<String, Integer> capacity,
      SharingStrategy strategy,
      boolean inSharePreemption) {
    return new QuotaShare(
        queue,
        id,
        capacity,
        strategy,
        null,
        Map.of(),
        null,
        Map.of(),
        inSharePreemption,
        ShareOrdering.STRICT,
        1,
        Duration.ZERO,
        AdminState.ENABLED,
        "");
  }

  /** Resource name, {@code queues/{queue}/shares/{share}}. */
  public String name() {
    return ResourceNames.share(queue, id);
  }

  /** Throws where something contradicts the rules of quota-semantics 1. */
  void requireValid() {
    ShareRules.require(this, problems());
  }

  /** What contradicts the rules of quota-semantics 1; empty if nothing does. */
  public List<FieldProblem> problems() {
    return ShareRules.check(this);
  }
}
