package io.quotashare.core.model;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A quota share as configured (quota-semantics 1).
 *
 * @param key identity
 * @param capacity owned devices by unit
 * @param strategy what happens to idle devices
 * @param borrowLimit bound of what it borrows; counts only where the strategy borrows
 * @param lendLimit bound of what it lends; counts only where the strategy lends
 * @param inSharePreemption whether its jobs may stop its own attempts of lower priority
 * @param ordering order inside the share
 * @param weight for {@link IdleAssignment#FAIR}, 1 or more
 * @param minRuntimeMillis how long an attempt is protected from preemption, 0 or more
 * @param state whether it takes jobs
 */
public record QuotaShare(
    ShareKey key,
    SortedMap<String, Integer> capacity,
    Strategy strategy,
    Limit borrowLimit,
    Limit lendLimit,
    boolean inSharePreemption,
    Ordering ordering,
    int weight,
    long minRuntimeMillis,
    AdminState state) {
  public QuotaShare {
    requireNonNull(key, "key is null");
    capacity = new TreeMap<>(capacity);
    capacity.forEach(
        (unit, n) -> checkArgument(n >= 0, "capacity of %s: %s (expected: >= 0)", unit, n));
    requireNonNull(strategy, "strategy is null");
    requireNonNull(borrowLimit, "borrowLimit is null");
    requireNonNull(lendLimit, "lendLimit is null");
    requireNonNull(ordering, "ordering is null");
    checkArgument(weight >= 1, "weight: %s (expected: >= 1)", weight);
    checkArgument(minRuntimeMillis >= 0, "minRuntimeMillis: %s (expected: >= 0)", minRuntimeMillis);
    requireNonNull(state, "state is null");
  }

  /** The same in another state. */
  public QuotaShare withState(AdminState newState) {
    return new QuotaShare(
        key,
        capacity,
        strategy,
        borrowLimit,
        lendLimit,
        inSharePreemption,
        ordering,
        weight,
        minRuntimeMillis,
        newState);
  }

  /** Owned devices of a unit; 0 where it lists none. */
  public int capacity(String unit) {
    return capacity.getOrDefault(unit, 0);
  }

  /**
   * Devices of a unit that it may hold beyond its capacity; {@link Limit#UNLIMITED} for no limit.
   */
  public int borrowLimit(String unit) {
    return strategy.borrows() ? borrowLimit.devices(unit, capacity(unit)) : 0;
  }

  /** Devices of a unit that others may use of its capacity. */
  public int lendLimit(String unit) {
    return strategy.lends() ? Math.min(lendLimit.devices(unit, capacity(unit)), capacity(unit)) : 0;
  }
}
