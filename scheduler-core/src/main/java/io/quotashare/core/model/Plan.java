package io.quotashare.core.model;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A preemption that was decided: it holds what comes free for its beneficiary (quota-semantics
 * 4.8).
 *
 * @param id identity, in order of decision
 * @param beneficiary the job that is to start
 * @param share share that is charged with it from the decision on ({@code U})
 * @param unit capacity unit
 * @param places devices that it claims, by node
 * @param victims attempts that were told to stop for it; may be empty if it only uses what is
 *     coming free anyway
 * @param cause RECLAIM or IN_SHARE
 * @param decidedAtMillis when
 * @param deadlineMillis latest SIGKILL of what it waits for
 * @param missingPlanned cover that was missing in the planned ledger when it was decided, in
 *     devices
 * @param missingHeld the same in the held ledger
 * @param costDeviceMillis expected cost of the victims
 * @param approximate whether a search bound ended the choice early
 * @param rejected others that were not chosen, at most {@link #MAX_REJECTED}
 */
public record Plan(
    long id,
    JobKey beneficiary,
    ShareKey share,
    String unit,
    SortedMap<String, Integer> places,
    List<AttemptKey> victims,
    StopCause cause,
    long decidedAtMillis,
    long deadlineMillis,
    int missingPlanned,
    int missingHeld,
    long costDeviceMillis,
    boolean approximate,
    List<RejectedAlternative> rejected) {
  /** Most alternatives that are recorded. */
  public static final int MAX_REJECTED = 10;

  public Plan {
    requireNonNull(beneficiary, "beneficiary is null");
    requireNonNull(share, "share is null");
    requireNonNull(unit, "unit is null");
    places = new TreeMap<>(places);
    victims = List.copyOf(victims);
    checkArgument(cause == StopCause.RECLAIM || cause == StopCause.IN_SHARE, "cause: %s", cause);
    rejected = List.copyOf(rejected);
    checkArgument(
        rejected.size() <= MAX_REJECTED,
        "rejected: %s (expected: at most %s)",
        rejected.size(),
        MAX_REJECTED);
  }

  /** Pool that it draws from. */
  public PoolKey pool() {
    return new PoolKey(share.queue(), unit);
  }

  /** Devices that it claims. */
  public int gpus() {
    int sum = 0;
    for (int n : places.values()) {
      sum += n;
    }
    return sum;
  }

  /** The same plan for another job of the same share (quota-semantics 4.8). */
  public Plan passedTo(JobKey job, SortedMap<String, Integer> newPlaces) {
    return new Plan(
        id,
        job,
        share,
        unit,
        newPlaces,
        victims,
        cause,
        decidedAtMillis,
        deadlineMillis,
        missingPlanned,
        missingHeld,
        costDeviceMillis,
        approximate,
        rejected);
  }
}
