package io.quotashare.core.property;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Checkpoint;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Sections 4 and 5 of quota-semantics as they are written: every set of victims is tried. For pools
 * with few attempts.
 */
final class Choice {
  /** Most candidates for which every set is tried. */
  static final int MAX_CANDIDATES = 10;

  /** What may be taken: an attempt, or a plan. */
  record Candidate(
      JobKey job,
      ShareKey share,
      boolean isPlan,
      int priority,
      int gpus,
      SortedMap<String, Integer> freed,
      boolean young,
      long cost,
      long startedAtMillis,
      int departing) {}

  /** What is known about a question. */
  enum Verdict {
    FOUND,
    ONLY_YOUNG,
    NONE,
    UNKNOWN
  }

  private final Facts facts;
  private final Job job;
  private final boolean mayBorrow;
  private final List<Candidate> candidates;

  /**
   * @param rows the state before anything is taken
   * @param mayBorrow whether the job may be above its limit once they are gone (5.3)
   */
  Choice(Mirror rows, PoolKey pool, Job job, boolean mayBorrow, List<Candidate> candidates) {
    this.facts = Facts.of(rows, pool, job);
    this.job = job;
    this.mayBorrow = mayBorrow;
    this.candidates = candidates;
  }

  // Candidates (4.2, 5.1)

  /** What shares above their limit hold. */
  static List<Candidate> ofOthers(Mirror rows, PoolKey pool, ShareKey beneficiary, long now) {
    Facts facts = Facts.of(rows, pool);
    List<Candidate> result = new ArrayList<>();
    for (Attempt attempt : rows.liveIn(pool)) {
      Facts.Use use = facts.uses.get(attempt.share());
      boolean above = facts.planned().above(attempt.share()) > 0;
      if (!attempt.share().equals(beneficiary) && above && isCandidate(attempt)) {
        Job owner = rows.jobs.get(attempt.key().job());
        boolean spared =
            owner.spec().borrow() == BorrowMode.NEVER
                && neverGpus(rows, pool, attempt.share()) <= use.c;
        if (!spared) {
          result.add(of(rows, facts, attempt, now));
        }
      }
    }
    for (Plan plan : rows.plansIn(pool)) {
      if (!plan.share().equals(beneficiary) && facts.planned().above(plan.share()) > 0) {
        result.add(of(plan));
      }
    }
    return result;
  }

  /** Own attempts of strictly lower priority. */
  static List<Candidate> ofOwnShare(Mirror rows, PoolKey pool, Job job, long now) {
    Facts facts = Facts.of(rows, pool);
    List<Candidate> result = new ArrayList<>();
    for (Attempt attempt : rows.liveIn(pool)) {
      Job owner = rows.jobs.get(attempt.key().job());
      if (attempt.share().equals(job.share())
          && isCandidate(attempt)
          && owner.priority() < job.priority()) {
        result.add(of(rows, facts, attempt, now));
      }
    }
    return result;
  }

  static boolean isCandidate(Attempt attempt) {
    return attempt.state() == AttemptState.SCHEDULED
        || attempt.state() == AttemptState.STARTING
        || attempt.state() == AttemptState.RUNNING;
  }

  private static int neverGpus(Mirror rows, PoolKey pool, ShareKey share) {
    int sum = 0;
    for (Attempt attempt : rows.liveIn(pool)) {
      boolean never = rows.jobs.get(attempt.key().job()).spec().borrow() == BorrowMode.NEVER;
      sum += never && attempt.share().equals(share) && attempt.isPlanned() ? attempt.heldGpus() : 0;
    }
    return sum;
  }

  static Candidate of(Plan plan) {
    return new Candidate(
        plan.beneficiary(),
        plan.share(),
        true,
        0,
        Facts.sum(plan.places()),
        plan.places(),
        false,
        0,
        plan.decidedAtMillis(),
        0);
  }

  static Candidate of(Mirror rows, Facts facts, Attempt attempt, long now) {
    Job owner = rows.jobs.get(attempt.key().job());
    SortedMap<String, Integer> freed = new TreeMap<>();
    int departing = attempt.heldGpus();
    for (Part part : attempt.parts()) {
      Facts.Place place = facts.places.get(part.node());
      if (!part.phase().isFree()) {
        int back = facts.startable(place.node, part);
        freed.merge(part.node(), place.takesWork() ? back : 0, Integer::sum);
        departing -= place.exists() ? back : 0;
      }
    }
    QuotaShare share = facts.uses.get(attempt.share()).share;
    return new Candidate(
        attempt.key().job(),
        attempt.share(),
        false,
        owner.priority(),
        attempt.heldGpus(),
        freed,
        now - attempt.scheduledAtMillis() < share.minRuntimeMillis(),
        attempt.heldGpus() * pricePerDevice(facts, owner, attempt, now),
        attempt.scheduledAtMillis(),
        departing);
  }

  /** Lost, save and restart of 4.5 (iii), in milliseconds. */
  private static long pricePerDevice(Facts facts, Job owner, Attempt attempt, long now) {
    long restart = owner.timings().startupMillis().orElse(facts.queue.restartCostMillis());
    long grace = Math.min(owner.spec().graceMillis(), facts.queue.maxGraceMillis());
    boolean savesInTime =
        owner.spec().onDemandCheckpoint()
            && !owner.timings().saveMillis().isEmpty()
            && owner.timings().saveP95Millis().getAsLong() <= grace;
    if (savesInTime) {
      return owner.timings().saveP95Millis().getAsLong() + restart;
    }
    Checkpoint checkpoint = attempt.progress().checkpoint();
    long durable = attempt.scheduledAtMillis();
    if (checkpoint != null && checkpoint.stateAtMillis() > durable) {
      durable = checkpoint.stateAtMillis();
    }
    return Math.min(now - durable, facts.queue.lostWorkCapMillis()) + restart;
  }

  // Sets (4.2, 4.4, 4.5)

  /** Whether 4.2 and 4.4 hold, and the job may be charged afterwards. */
  boolean isFeasible(List<Candidate> set) {
    return isLegal(set) && sits(set) && covers(set);
  }

  /** No share is named again once it has sunk to its limit, the largest last. */
  boolean isLegal(List<Candidate> set) {
    for (ShareKey share : facts.uses.keySet()) {
      int taken = 0;
      int largest = 0;
      for (Candidate member : set) {
        taken += member.share.equals(share) ? member.gpus : 0;
        largest = member.share.equals(share) ? Math.max(largest, member.gpus) : largest;
      }
      if (taken > 0
          && !share.equals(job.share())
          && taken - largest >= facts.planned().above(share)) {
        return false;
      }
    }
    return true;
  }

  private boolean sits(List<Candidate> set) {
    int seats = 0;
    for (Map.Entry<String, Facts.Place> entry : facts.places.entrySet()) {
      Facts.Place place = entry.getValue();
      int more = 0;
      for (Candidate member : set) {
        more += member.freed.getOrDefault(entry.getKey(), 0);
      }
      int room = place.free + place.leaving - place.claimed - place.kept + more;
      seats += place.takesWork() && room >= job.spec().shape().gpusPerNode() ? 1 : 0;
    }
    return seats >= job.spec().shape().nodes();
  }

  private boolean covers(List<Candidate> set) {
    Facts.Ledger ledger = facts.planned();
    for (Candidate member : set) {
      ledger = ledger.plus(member.share, -member.gpus).without(member.departing);
    }
    return Rules.charges(ledger, job, mayBorrow, facts.planned().missing());
  }

  // Answers

  /**
   * What there is; unknown where there are too many sets, or where devices leave the pool with
   * victims, since taking more may then cover less, and the scheduler looks at fewer sets.
   */
  Verdict verdict() {
    if (candidates.stream().anyMatch(c -> c.departing > 0)) {
      return Verdict.UNKNOWN;
    }
    if (!sits(candidates) || !covers(candidates)) {
      return Verdict.NONE;
    }
    if (candidates.size() > MAX_CANDIDATES) {
      return Verdict.UNKNOWN;
    }
    List<Candidate> old = candidates.stream().filter(c -> !c.young).toList();
    if (anyFeasible(old)) {
      return Verdict.FOUND;
    }
    return anyFeasible(candidates) ? Verdict.ONLY_YOUNG : Verdict.NONE;
  }

  private boolean anyFeasible(List<Candidate> among) {
    for (int mask = 0; mask < 1 << among.size(); mask++) {
      if (isFeasible(subset(among, mask))) {
        return true;
      }
    }
    return false;
  }

  /** The set that 4.5 asks for among those without young attempts; empty if there is none. */
  Optional<Set<JobKey>> best() {
    List<Candidate> old = candidates.stream().filter(c -> !c.young).toList();
    List<List<Candidate>> admissible = new ArrayList<>();
    for (int mask = 0; mask < 1 << old.size(); mask++) {
      List<Candidate> set = subset(old, mask);
      if (isFeasible(set) && !hasSuperfluous(set) && !hasStandIn(set, old)) {
        admissible.add(set);
      }
    }
    return admissible.stream().min(PREFERENCE).map(Choice::names);
  }

  boolean hasSuperfluous(List<Candidate> set) {
    return set.stream().anyMatch(member -> isFeasible(without(set, member)));
  }

  /** 4.5 (ii). */
  boolean hasStandIn(List<Candidate> set, List<Candidate> among) {
    for (Candidate member : set) {
      List<Candidate> lower =
          among.stream()
              .filter(c -> !c.isPlan && !member.isPlan && c.share.equals(member.share))
              .filter(c -> c.priority < member.priority && !set.contains(c))
              .toList();
      for (int mask = 1; mask < 1 << lower.size(); mask++) {
        List<Candidate> other = without(set, member);
        other.addAll(subset(lower, mask));
        if (isFeasible(other)) {
          return true;
        }
      }
    }
    return false;
  }

  /** 4.5 (iii) to (vi). */
  private static final Comparator<List<Candidate>> PREFERENCE =
      Comparator.comparingLong((List<Candidate> set) -> set.stream().mapToLong(c -> c.cost).sum())
          .thenComparingLong(set -> set.stream().filter(c -> !c.isPlan).count())
          .thenComparing(Choice::newestFirst, Arrays::compare)
          .thenComparing(Choice::sortedNames);

  private static long[] newestFirst(List<Candidate> set) {
    return set.stream().mapToLong(c -> -c.startedAtMillis).sorted().toArray();
  }

  private static String sortedNames(List<Candidate> set) {
    return String.join(" ", set.stream().map(c -> c.job.toString()).sorted().toList());
  }

  static Set<JobKey> names(List<Candidate> set) {
    Set<JobKey> names = new HashSet<>();
    set.forEach(member -> names.add(member.job));
    return names;
  }

  private static List<Candidate> without(List<Candidate> set, Candidate member) {
    List<Candidate> rest = new ArrayList<>(set);
    rest.remove(member);
    return rest;
  }

  private static List<Candidate> subset(List<Candidate> among, int mask) {
    List<Candidate> set = new ArrayList<>();
    for (int i = 0; i < among.size(); i++) {
      if ((mask >> i & 1) == 1) {
        set.add(among.get(i));
      }
    }
    return set;
  }
}
