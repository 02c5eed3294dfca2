package io.quotashare.cli.policy;

import io.quotashare.client.AdminState;
import io.quotashare.client.QuotaShare;
import io.quotashare.client.ShareOrdering;
import io.quotashare.client.SharingStrategy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a share that a file names; null where it does not. A whole share of a policy, or
 * the changed part of one ({@code setShare} of a scenario).
 */
public record ShareFields(
    @Nullable String name,
    @Nullable Map<String, Integer> capacity,
    @Nullable SharingStrategy strategy,
    @Nullable Integer borrowLimitPercent,
    @Nullable Map<String, Integer> borrowLimit,
    @Nullable Integer lendLimitPercent,
    @Nullable Map<String, Integer> lendLimit,
    @Nullable Boolean inSharePreemption,
    @Nullable ShareOrdering ordering,
    @Nullable Integer weight,
    @Nullable Duration minRuntime,
    @Nullable AdminState state) {

  /**
   * The share that these fields make of an older one: what is not named stays. A limit in devices
   * replaces one in percent and the other way round; a strategy that does not borrow or lend drops
   * the limit that goes with it, unless the fields name it. The caller checks {@link
   * QuotaShare#problems()} of the result.
   */
  public QuotaShare over(QuotaShare old) {
    SharingStrategy newStrategy = or(strategy, old.strategy());
    boolean keepBorrow = borrowLimit == null && borrowLimitPercent == null && newStrategy.borrows();
    boolean keepLend = lendLimit == null && lendLimitPercent == null && newStrategy.lends();
    return new QuotaShare(
        old.queue(),
        old.id(),
        or(capacity, old.capacity()),
        newStrategy,
        keepBorrow ? old.borrowLimitPercent() : borrowLimitPercent,
        keepBorrow ? old.borrowLimit() : or(borrowLimit, Map.of()),
        keepLend ? old.lendLimitPercent() : lendLimitPercent,
        keepLend ? old.lendLimit() : or(lendLimit, Map.of()),
        or(inSharePreemption, old.inSharePreemption()),
        or(ordering, old.ordering()),
        or(weight, old.weight()),
        or(minRuntime, old.minRuntime()),
        or(state, old.state()),
        old.etag());
  }

  /** The share of a policy; empty if a field without a default is missing. */
  Optional<QuotaShare> toShare(String queue) {
    if (name == null || capacity == null || strategy == null || inSharePreemption == null) {
      return Optional.empty();
    }
    return Optional.of(over(QuotaShare.of(queue, name, capacity, strategy, inSharePreemption)));
  }

  private static <T> T or(@Nullable T value, T other) {
    return value == null ? other : value;
  }
}
