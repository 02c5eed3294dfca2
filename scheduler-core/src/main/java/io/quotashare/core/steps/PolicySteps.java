package io.quotashare.core.steps;

import io.quotashare.core.Policy;
import io.quotashare.core.RejectedException;
import io.quotashare.core.RejectedException.Kind;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Observation;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.StopCause;
import io.quotashare.core.preemption.Price;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.ShareState;
import io.quotashare.core.state.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** Makes and changes queues and shares (quota-semantics 9). */
public final class PolicySteps {
  private final State state;
  private final Moves moves;
  private final RemovalSteps removals;

  public PolicySteps(State state, Moves moves, RemovalSteps removals) {
    this.state = state;
    this.moves = moves;
    this.removals = removals;
  }

  /** What applying would do; throws what applying would throw. */
  public Policy.Diff preview(Policy policy) {
    check(policy);
    List<String> created = new ArrayList<>();
    List<String> updated = new ArrayList<>();
    List<String> unchanged = new ArrayList<>();
    for (Policy.QueuePolicy entry : policy.queues()) {
      Queue known = state.queues().get(entry.queue().name());
      String queueName = "queues/" + entry.queue().name();
      sort(queueName, known == null, entry.queue().equals(known), created, updated, unchanged);
      for (QuotaShare share : entry.shares()) {
        QuotaShare before = state.shares().get(share.key());
        sort(
            share.key().toString(),
            before == null,
            share.equals(before),
            created,
            updated,
            unchanged);
      }
    }
    Unnamed unnamed = unnamed(policy);
    List<String> others = new ArrayList<>();
    unnamed.queues().forEach(queue -> others.add("queues/" + queue.name()));
    unnamed.shares().forEach(share -> others.add(share.key().toString()));
    Collections.sort(others);
    return new Policy.Diff(
        created,
        updated,
        unchanged,
        policy.prune() ? List.of() : others,
        warnings(policy),
        policy.prune() ? others : List.of());
  }

  /**
   * What exists and a policy does not name.
   *
   * @param queues by name
   * @param shares by name, those of these queues included
   */
  private record Unnamed(List<Queue> queues, List<QuotaShare> shares) {}

  private Unnamed unnamed(Policy policy) {
    TreeMap<String, Queue> queues = new TreeMap<>(state.queues());
    TreeMap<ShareKey, QuotaShare> shares = new TreeMap<>(state.shares());
    for (Policy.QueuePolicy entry : policy.queues()) {
      queues.remove(entry.queue().name());
      entry.shares().forEach(share -> shares.remove(share.key()));
    }
    return new Unnamed(List.copyOf(queues.values()), List.copyOf(shares.values()));
  }

  private static void sort(
      String name,
      boolean isNew,
      boolean same,
      List<String> created,
      List<String> updated,
      List<String> unchanged) {
    (isNew ? created : same ? unchanged : updated).add(name);
  }

  /**
   * Makes and changes what the policy names, and removes what it does not name if it prunes; all or
   * nothing.
   */
  public Policy.Diff apply(Policy policy, boolean drainNow) {
    Policy.Diff diff = preview(policy);
    refuseDrainWhilePaused(drainNow);
    if (policy.prune()) {
      Unnamed unnamed = unnamed(policy);
      unnamed.queues().forEach(removals::begin);
      unnamed.shares().stream()
          .filter(share -> state.shares().containsKey(share.key()))
          .forEach(removals::begin);
    }
    for (Policy.QueuePolicy entry : policy.queues()) {
      if (!entry.queue().equals(state.queues().get(entry.queue().name()))) {
        state.putQueue(entry.queue());
      }
      for (QuotaShare share : entry.shares()) {
        putShare(share, drainNow);
      }
    }
    return diff;
  }

  /** Whom to stop is a decision, and none is made while scheduling is paused. */
  private void refuseDrainWhilePaused(boolean drainNow) {
    if (drainNow && state.pause() != null) {
      throw new RejectedException(
          Kind.FAILED_PRECONDITION,
          "SCHEDULING_PAUSED",
          "drain_now",
          "drain_now: true (expected: false while scheduling is paused): resume it first");
    }
  }

  /** Throws unless a share may be made or changed. */
  public void checkShare(ShareKey key) {
    Queue queue = state.queues().get(key.queue());
    if (queue == null) {
      throw new RejectedException(
          Kind.NOT_FOUND, "NOT_FOUND", "name", "queue queues/" + key.queue() + " does not exist");
    }
    RemovalSteps.refuseLeaving(queue);
    QuotaShare known = state.shares().get(key);
    if (known != null) {
      RemovalSteps.refuseLeaving(known);
    }
  }

  /** Makes or changes one share. */
  public void putShare(QuotaShare share, boolean drainNow) {
    checkShare(share.key());
    refuseDrainWhilePaused(drainNow);
    if (!share.equals(state.shares().get(share.key()))) {
      state.putShare(share);
    }
    if (drainNow) {
      state.poolsOf(share.key().queue()).forEach(pool -> drain(pool, share.key()));
    }
  }

  /**
   * Stops what a share uses above limit and borrow limit, the lowest priority and the newest first
   * (9.1, drainNow); where the queue only observes it says so and stops nobody.
   */
  private void drain(Pool pool, ShareKey key) {
    abandonPlansAbove(pool, key);
    ShareState share = pool.share(key);
    List<Attempt> attempts = new ArrayList<>();
    share.running().all().forEach(entry -> attempts.add(entry.attempt()));
    attempts.removeIf(attempt -> !attempt.state().isCandidate());
    attempts.sort(
        Comparator.comparingInt((Attempt attempt) -> state.job(attempt.key().job()).priority())
            .thenComparing(Comparator.comparingLong(Attempt::scheduledAtMillis).reversed())
            .thenComparing(Attempt::key));
    List<Attempt> surplus = surplus(attempts, pool.planned().over(key));
    if (!pool.queue().observesOnly()) {
      surplus.forEach(
          attempt ->
              moves.stop(
                  attempt,
                  new Moves.Decision(
                      null,
                      StopCause.CAPACITY_LOWERED,
                      price(pool, attempt),
                      false,
                      List.of(),
                      "the limit of its share was lowered")));
    } else if (!surplus.isEmpty()) {
      state
          .observations()
          .note(
              pool,
              key,
              null,
              surplus.stream().map(attempt -> wouldStop(pool, attempt)).toList(),
              false,
              List.of());
    }
  }

  /** The first of the attempts, until what they hold covers what is too much. */
  private static List<Attempt> surplus(List<Attempt> attempts, int over) {
    List<Attempt> surplus = new ArrayList<>();
    int left = over;
    for (Attempt attempt : attempts) {
      if (left > 0) {
        surplus.add(attempt);
        left -= attempt.heldGpus();
      }
    }
    return surplus;
  }

  private Observation.Victim wouldStop(Pool pool, Attempt attempt) {
    return new Observation.Victim(
        attempt.key(),
        attempt.share(),
        StopCause.CAPACITY_LOWERED,
        attempt.heldGpus(),
        price(pool, attempt));
  }

  private long price(Pool pool, Attempt attempt) {
    return Price.deviceMillis(pool.queue(), state.job(attempt.key().job()), attempt, state.now());
  }

  /** Plans are void before any attempt is stopped: that costs nothing (4.2). */
  private void abandonPlansAbove(Pool pool, ShareKey key) {
    List<Plan> newestFirst = new ArrayList<>(state.plansOf(pool.key()));
    Collections.reverse(newestFirst);
    for (Plan plan : newestFirst) {
      if (plan.share().equals(key) && pool.planned().over(key) > 0) {
        moves.abandon(plan);
      }
    }
  }

  private void check(Policy policy) {
    Set<String> queues = new HashSet<>();
    for (Policy.QueuePolicy entry : policy.queues()) {
      String queue = entry.queue().name();
      if (!queues.add(queue)) {
        throw invalid("DUPLICATE_QUEUE", "queues", "queue " + queue + " is named twice");
      }
      Set<ShareKey> shares = new HashSet<>();
      for (QuotaShare share : entry.shares()) {
        if (!share.key().queue().equals(queue)) {
          throw invalid(
              "WRONG_QUEUE", "shares", share.key() + " does not belong to queue " + queue);
        }
        if (!shares.add(share.key())) {
          throw invalid("DUPLICATE_SHARE", "shares", share.key() + " is named twice");
        }
        if (state.queues().containsKey(queue)) {
          checkShare(share.key());
        }
      }
      if (state.queues().containsKey(queue)) {
        RemovalSteps.refuseLeaving(state.queues().get(queue));
      }
    }
    checkSelectors(policy);
  }

  /**
   * Queues never share a node (quota-semantics 1): two with the same selector would. One that is on
   * its way out selects nothing.
   */
  private void checkSelectors(Policy policy) {
    TreeMap<String, Queue> after = new TreeMap<>();
    if (!policy.prune()) {
      after.putAll(state.queues());
      after.values().removeIf(queue -> queue.state().isLeaving());
    }
    policy.queues().forEach(entry -> after.put(entry.queue().name(), entry.queue()));
    TreeMap<String, String> bySelector = new TreeMap<>();
    for (Queue queue : after.values()) {
      String other = bySelector.put(queue.nodeSelector().toString(), queue.name());
      if (other != null) {
        throw invalid(
            "SELECTOR_IN_USE",
            "node_selector",
            String.format(
                "nodeSelector of queue %s: %s is that of queue %s too, and queues never share a node",
                queue.name(), queue.nodeSelector(), other));
      }
    }
  }

  private static RejectedException invalid(String reason, String field, String message) {
    return new RejectedException(Kind.INVALID_ARGUMENT, reason, field, message);
  }

  private List<String> warnings(Policy policy) {
    List<String> warnings = new ArrayList<>();
    for (Policy.QueuePolicy entry : policy.queues()) {
      TreeMap<String, Integer> sums = new TreeMap<>();
      TreeMap<ShareKey, QuotaShare> shares = new TreeMap<>();
      if (!policy.prune()) {
        state.sharesOf(entry.queue().name()).forEach(share -> shares.put(share.key(), share));
      }
      entry.shares().forEach(share -> shares.put(share.key(), share));
      shares
          .values()
          .forEach(
              share -> share.capacity().forEach((unit, n) -> sums.merge(unit, n, Integer::sum)));
      for (Pool pool : state.poolsOf(entry.queue().name())) {
        int guaranteed = sums.getOrDefault(pool.key().unit(), 0);
        if (pool.totalDevices() > 0 && guaranteed > pool.totalDevices()) {
          warnings.add(
              String.format(
                  "queue %s guarantees %d %s and has %d: over-committed by %d",
                  entry.queue().name(),
                  guaranteed,
                  pool.key().unit(),
                  pool.totalDevices(),
                  guaranteed - pool.totalDevices()));
        }
      }
    }
    return warnings;
  }
}
