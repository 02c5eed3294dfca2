package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A change of some fields of a share. Only what was set is changed; the scheduler refuses a change
 * that leaves the share contradicting itself (quota-semantics 1). Made with {@link #of}.
 *
 * @param share the values to set; what {@code fields} does not name is not looked at
 * @param fields names of the fields to change, such as {@code borrow_limit_percent}; {@code *}
 *     alone: all
 * @param drainNow stop at once what a lowered limit leaves above (cause CAPACITY_LOWERED), instead
 *     of on demand
 * @param requestId makes a repeat return the first answer; null: the client makes one for this call
 */
public record ShareUpdate(
    QuotaShare share, Set<String> fields, boolean drainNow, @Nullable UUID requestId) {
  private static final String ALL = "*";

  /** Checks that something is changed. */
  public ShareUpdate {
    requireNonNull(share, "share");
    fields = Set.copyOf(fields);
    if (fields.isEmpty()) {
      throw new IllegalArgumentException(
          "fields: none of " + share.name() + " was set, expected at least one to change");
    }
  }

  /** Starts a change of the share. */
  public static Builder of(String queue, String share) {
    return new Builder(queue, share);
  }

  /**
   * Sets every field to what this share says, and checks its etag unless that is empty.
   *
   * @throws IllegalArgumentException if the share contradicts itself
   */
  public static ShareUpdate replacing(QuotaShare share) {
    share.requireValid();
    return new ShareUpdate(share, Set.of(ALL), false, null);
  }

  /** The same, stopping at once what a lowered limit leaves above. */
  public ShareUpdate drainingNow() {
    return new ShareUpdate(share, fields, true, requestId);
  }

  /** The same with a request id that a later repeat can send again. */
  public ShareUpdate withRequestId(UUID id) {
    return new ShareUpdate(share, fields, drainNow, requireNonNull(id, "id"));
  }

  /** Collects what is changed. Not safe for use by several threads. */
  public static final class Builder {
    private final String queue;
    private final String share;
    private final Set<String> fields = new TreeSet<>();
    private Map<String, Integer> capacity = Map.of();
    private SharingStrategy strategy = SharingStrategy.RESERVE;
    private @Nullable Integer borrowLimitPercent;
    private Map<String, Integer> borrowLimit = Map.of();
    private @Nullable Integer lendLimitPercent;
    private Map<String, Integer> lendLimit = Map.of();
    private boolean inSharePreemption;
    private ShareOrdering ordering = ShareOrdering.STRICT;
    private int weight = 1;
    private Duration minRuntime = Duration.ZERO;
    private AdminState state = AdminState.ENABLED;
    private String etag = "";

    private Builder(String queue, String share) {
      this.queue = queue;
      this.share = share;
      ResourceNames.share(queue, share);
    }

    /** Owned devices by capacity unit, each 0 or more. Replaces all units. */
    public Builder capacity(Map<String, Integer> devices) {
      capacity = Map.copyOf(devices);
      return changed("capacity");
    }

    /** Whether it lends and borrows. */
    public Builder strategy(SharingStrategy value) {
      strategy = requireNonNull(value, "strategy");
      return changed("strategy");
    }

    /**
     * Percent of the own limit that may be borrowed on top, {@link QuotaShare#UNLIMITED} or 0 and
     * more. Replaces a limit in devices.
     */
    public Builder borrowLimitPercent(int percent) {
      borrowLimitPercent = percent;
      borrowLimit = Map.of();
      return changed("borrow_limit_percent", "borrow_limit");
    }

    /** Devices by unit that may be borrowed on top, each 0 or more. Replaces a percentage. */
    public Builder borrowLimit(Map<String, Integer> devices) {
      borrowLimitPercent = null;
      borrowLimit = Map.copyOf(devices);
      return changed("borrow_limit_percent", "borrow_limit");
    }

    /** Back to the default: unlimited for a share that borrows. */
    public Builder defaultBorrowLimit() {
      return borrowLimit(Map.of());
    }

    /** Percent of the own limit that may be lent, 0 to 100. Replaces a limit in devices. */
    public Builder lendLimitPercent(int percent) {
      lendLimitPercent = percent;
      lendLimit = Map.of();
      return changed("lend_limit_percent", "lend_limit");
    }

    /** Devices by unit that may be lent, each 0 or more. Replaces a percentage. */
    public Builder lendLimit(Map<String, Integer> devices) {
      lendLimitPercent = null;
      lendLimit = Map.copyOf(devices);
      return changed("lend_limit_percent", "lend_limit");
    }

    /** Back to the default: all of it for a share that lends. */
    public Builder defaultLendLimit() {
      return lendLimit(Map.of());
    }

    /** Whether a waiting job may stop jobs of lower priority in the same share. */
    public Builder inSharePreemption(boolean value) {
      inSharePreemption = value;
      return changed("in_share_preemption");
    }

    /** Order inside the share. */
    public Builder ordering(ShareOrdering value) {
      ordering = requireNonNull(value, "ordering");
      return changed("ordering");
    }

    /** For FAIR idle assignment, 1 to 1000000. */
    public Builder weight(int value) {
      weight = value;
      return changed("weight");
    }

    /** An attempt is protected from preemption for this long, 0 or more. */
    public Builder minRuntime(Duration value) {
      minRuntime = requireNonNull(value, "minRuntime");
      return changed("min_runtime");
    }

    /** Whether it takes jobs. */
    public Builder state(AdminState value) {
      state = requireNonNull(value, "state");
      return changed("state");
    }

    /** Only if the share still has this etag, else {@link ConflictException}. */
    public Builder ifUnchanged(String asRead) {
      etag = requireNonNull(asRead, "asRead");
      return this;
    }

    /**
     * The finished change.
     *
     * @throws IllegalArgumentException if nothing was set, or a value is out of its range
     */
    public ShareUpdate build() {
      QuotaShare values =
          new QuotaShare(
              queue,
              share,
              capacity,
              strategy,
              borrowLimitPercent,
              borrowLimit,
              lendLimitPercent,
              lendLimit,
              inSharePreemption,
              ordering,
              weight,
              minRuntime,
              state,
              etag);
      ShareRules.require(values, ShareRules.checkRanges(values));
      return new ShareUpdate(values, fields, false, null);
    }

    private Builder changed(String... names) {
      fields.addAll(Set.of(names));
      return this;
    }
  }
}
