package io.quotashare.core.model;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whom a queue that only observes would stop now for one beneficiary, and which sets it has
 * recorded for it already, so that each is recorded once.
 *
 * @param id identity, from the same counter as {@link Plan#id}
 * @param pool pool of the victims
 * @param share share of the beneficiary; where there is none, the share whose limit was lowered
 * @param beneficiary job that it is for; null where a limit was lowered with {@code drainNow}
 * @param victims whom it would stop, one or more
 * @param decidedAtMillis when this set was chosen
 * @param approximate whether a search bound ended the choice early
 * @param rejected others that were not chosen, at most {@link Plan#MAX_REJECTED}
 * @param recorded fingerprints of the sets that were recorded, at most {@link #MAX_RECORDED}
 */
public record Observation(
    long id,
    PoolKey pool,
    ShareKey share,
    @Nullable JobKey beneficiary,
    List<Victim> victims,
    long decidedAtMillis,
    boolean approximate,
    List<RejectedAlternative> rejected,
    List<Long> recorded) {
  /** Most sets that are recorded for one beneficiary; later ones are shown and not recorded. */
  public static final int MAX_RECORDED = 100;

  /**
   * Somebody who would be stopped.
   *
   * @param attempt the attempt
   * @param share its share
   * @param cause why
   * @param gpus devices that it holds
   * @param costDeviceMillis cost that it was chosen with
   */
  public record Victim(
      AttemptKey attempt, ShareKey share, StopCause cause, int gpus, long costDeviceMillis) {
    public Victim {
      requireNonNull(attempt, "attempt is null");
      requireNonNull(share, "share is null");
      requireNonNull(cause, "cause is null");
    }
  }

  public Observation {
    requireNonNull(pool, "pool is null");
    requireNonNull(share, "share is null");
    victims = List.copyOf(victims);
    rejected = List.copyOf(rejected);
    recorded = List.copyOf(recorded);
    checkArgument(!victims.isEmpty(), "victims: none (expected: one or more)");
    checkArgument(
        recorded.size() <= MAX_RECORDED,
        "recorded: %s (expected: at most %s)",
        recorded.size(),
        MAX_RECORDED);
  }

  /** Sum of the victims' costs. */
  public long costDeviceMillis() {
    long sum = 0;
    for (Victim victim : victims) {
      sum += victim.costDeviceMillis();
    }
    return sum;
  }

  /**
   * Tells sets of attempts apart (FNV-1a, 64 bits), whatever their order. Two sets that agree by
   * chance cost one record.
   */
  public static long fingerprint(List<Victim> victims) {
    long hash = 0xcbf29ce484222325L;
    for (String name :
        victims.stream().map(victim -> victim.attempt().toString()).sorted().toList()) {
      for (int i = 0; i < name.length(); i++) {
        hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
      }
      hash = (hash ^ '\n') * 0x100000001b3L;
    }
    return hash;
  }
}
