package io.quotashare.cli.shares;

import io.quotashare.cli.UsageException;
import io.quotashare.cli.policy.Known;
import io.quotashare.client.AdminState;
import io.quotashare.client.QuotaShare;
import io.quotashare.client.ShareOrdering;
import io.quotashare.client.ShareUpdate;
import io.quotashare.client.SharingStrategy;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The settings of a share as flags; null or empty where they were not given. */
final class ShareFlags {
  /** Strategies that a user may name. */
  static final class Strategies implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return names(SharingStrategy.class).iterator();
    }
  }

  /** Orderings that a user may name. */
  static final class Orderings implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return names(ShareOrdering.class).iterator();
    }
  }

  /** States that a user may name. */
  static final class States implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return names(AdminState.class).iterator();
    }
  }

  @Option(
      names = "--capacity",
      split = ",",
      paramLabel = "UNIT=N",
      description = "Devices that it owns, by capacity unit, each 0 or more.")
  private Map<String, Integer> capacity = new TreeMap<>();

  @Option(
      names = "--strategy",
      paramLabel = "STRATEGY",
      completionCandidates = Strategies.class,
      description = "${COMPLETION-CANDIDATES}: what happens to its idle devices.")
  private @Nullable SharingStrategy strategy;

  @Option(
      names = "--in-share-preemption",
      negatable = true,
      description = "Whether a waiting job may stop jobs of lower priority in the same share.")
  private @Nullable Boolean inSharePreemption;

  @Option(
      names = "--borrow-limit-percent",
      paramLabel = "N",
      description =
          "Percent of what it owns that it may borrow on top; -1 is without a limit. Only with"
              + " LEND_AND_BORROW. Default: -1.")
  private @Nullable Integer borrowLimitPercent;

  @Option(
      names = "--borrow-limit",
      split = ",",
      paramLabel = "UNIT=N",
      description = "The same in devices, by unit.")
  private Map<String, Integer> borrowLimit = new TreeMap<>();

  @Option(
      names = "--lend-limit-percent",
      paramLabel = "N",
      description = "Percent of what it owns that it may lend, 0 to 100. Default: 100.")
  private @Nullable Integer lendLimitPercent;

  @Option(
      names = "--lend-limit",
      split = ",",
      paramLabel = "UNIT=N",
      description = "The same in devices, by unit.")
  private Map<String, Integer> lendLimit = new TreeMap<>();

  @Option(
      names = "--ordering",
      paramLabel = "ORDERING",
      completionCandidates = Orderings.class,
      description = "Order inside it: ${COMPLETION-CANDIDATES}. Default: STRICT.")
  private @Nullable ShareOrdering ordering;

  @Option(
      names = "--weight",
      paramLabel = "N",
      description = "Weight where idle devices go by FAIR, 1 to 1000000. Default: 1.")
  private @Nullable Integer weight;

  @Option(
      names = "--min-runtime",
      paramLabel = "DURATION",
      description = "An attempt is protected from preemption for so long. Default: 0s.")
  private @Nullable Duration minRuntime;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      completionCandidates = States.class,
      description = "${COMPLETION-CANDIDATES}: whether it takes jobs. Default: ENABLED.")
  private @Nullable AdminState state;

  /**
   * A new share.
   *
   * @throws UsageException naming what has no default and is missing
   */
  QuotaShare toShare(String queue, String id) {
    require(capacity.isEmpty(), "--capacity is missing: devices by unit such as H100=8");
    SharingStrategy how = strategy;
    if (how == null) {
      throw new UsageException(
          "--strategy is missing: RESERVE, LEND or LEND_AND_BORROW; it has no default");
    }
    Boolean preemption = inSharePreemption;
    if (preemption == null) {
      throw new UsageException(
          "--in-share-preemption or --no-in-share-preemption is missing; it has no default");
    }
    return new QuotaShare(
        queue,
        id,
        capacity,
        how,
        borrowLimitPercent,
        borrowLimit,
        lendLimitPercent,
        lendLimit,
        preemption,
        ordering == null ? ShareOrdering.STRICT : ordering,
        weight == null ? 1 : weight,
        minRuntime == null ? Duration.ZERO : minRuntime,
        state == null ? AdminState.ENABLED : state,
        "");
  }

  /** Sets what was given. */
  void into(ShareUpdate.Builder update) {
    set(orNull(capacity), update::capacity);
    set(strategy, update::strategy);
    set(inSharePreemption, update::inSharePreemption);
    set(borrowLimitPercent, update::borrowLimitPercent);
    set(orNull(borrowLimit), update::borrowLimit);
    set(lendLimitPercent, update::lendLimitPercent);
    set(orNull(lendLimit), update::lendLimit);
    set(ordering, update::ordering);
    set(weight, update::weight);
    set(minRuntime, update::minRuntime);
    set(state, update::state);
    refuseBoth("--borrow-limit-percent", borrowLimitPercent, "--borrow-limit", borrowLimit);
    refuseBoth("--lend-limit-percent", lendLimitPercent, "--lend-limit", lendLimit);
  }

  /** True if nothing was given. */
  boolean isEmpty() {
    return capacity.isEmpty()
        && borrowLimit.isEmpty()
        && lendLimit.isEmpty()
        && strategy == null
        && inSharePreemption == null
        && borrowLimitPercent == null
        && lendLimitPercent == null
        && ordering == null
        && weight == null
        && minRuntime == null
        && state == null;
  }

  private static void refuseBoth(
      String percent, @Nullable Integer percentValue, String devices, Map<String, Integer> limit) {
    require(
        percentValue != null && !limit.isEmpty(),
        percent + " stands together with " + devices + ": expected one of the two");
  }

  private static void require(boolean wrong, String message) {
    if (wrong) {
      throw new UsageException(message);
    }
  }

  private static <T> void set(@Nullable T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }

  private static @Nullable Map<String, Integer> orNull(Map<String, Integer> map) {
    return map.isEmpty() ? null : map;
  }

  private static <E extends Enum<E>> List<String> names(Class<E> type) {
    return Known.of(type).stream().map(Enum::name).toList();
  }
}
