package io.quotashare.core.decide;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.StopCause;
import io.quotashare.core.preemption.Answer;
import io.quotashare.core.preemption.Candidate;
import io.quotashare.core.preemption.Question;
import io.quotashare.core.preemption.VictimSearch;
import io.quotashare.core.state.Front;
import io.quotashare.core.state.NodeSlots;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.State;
import io.quotashare.core.steps.Moves;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Asks for victims, and turns an answer into a plan (quota-semantics 4 and 5). */
final class Planner {
  private final State state;
  private final Moves moves;
  private final Candidates candidates;
  private final VictimSearch search = new VictimSearch();

  Planner(State state, Moves moves, Candidates candidates) {
    this.state = state;
    this.moves = moves;
    this.candidates = candidates;
  }

  /** Reclaim: only what shares above their limits hold is looked at (3b; 4.1). */
  Answer reclaim(Pool pool, Job job) {
    return ask(pool, job, candidates.ofOthers(pool, job.share()), false);
  }

  /**
   * Whether a front job could stop or void something of other shares, alone or with own attempts
   * (3b and 5.4), after a start that is only supposed. What {@code minRuntime} protects counts: it
   * would be stopped when it is old enough.
   *
   * @param supposed null to ask as things are
   */
  boolean couldReclaim(Pool pool, Job job, @Nullable Supposed supposed) {
    boolean within = pool.planned().withinLimit(job.share(), job.gpus());
    int ownGpus = state.shareOf(job).inSharePreemption() ? Candidates.ownGpus(pool, job) : 0;
    boolean withOwn = ownGpus > 0 && pool.planned().withinLimit(job.share(), job.gpus() - ownGpus);
    if (!within && !withOwn) {
      return false;
    }
    List<Candidate> who = candidates.ofOthers(pool, job.share(), supposed);
    if (who.isEmpty()) {
      return false;
    }
    if (within && !(ask(pool, job, who, false, supposed) instanceof Answer.None)) {
      return true;
    }
    if (!withOwn) {
      return false;
    }
    who.addAll(candidates.ofOwnShare(pool, job));
    return !(ask(pool, job, who, false, supposed) instanceof Answer.None);
  }

  /**
   * In-share preemption: own attempts, and where these bring the share within its limit but too few
   * devices come free, also what shares above their limits hold (5.3 and 5.4).
   */
  Answer inShare(Pool pool, Front front) {
    Job job = front.job();
    List<Candidate> own = candidates.ofOwnShare(pool, job);
    if (own.isEmpty()) {
      return new Answer.None();
    }
    boolean mayBorrow = Fronts.mayBorrow(front.share(), job) && !pool.borrowingBlocked();
    Answer ownOnly = ask(pool, job, own, mayBorrow);
    if (!(ownOnly instanceof Answer.None)) {
      return ownOnly;
    }
    List<Candidate> others = candidates.ofOthers(pool, job.share());
    if (others.isEmpty()) {
      return ownOnly;
    }
    List<Candidate> all = new ArrayList<>(own);
    all.addAll(others);
    return ask(pool, job, all, false);
  }

  /**
   * Devices of closed nodes, and devices that are not healthy, leave the pool with who is taken
   * there: they cover nothing. Where the best set would count on them, such candidates are left
   * out, so that nobody is stopped for a job that could not start then.
   */
  private Answer ask(Pool pool, Job job, List<Candidate> who, boolean mayBorrow) {
    return ask(pool, job, who, mayBorrow, null);
  }

  private Answer ask(
      Pool pool, Job job, List<Candidate> who, boolean mayBorrow, @Nullable Supposed supposed) {
    Answer answer = search(pool, job, who, mayBorrow, supposed);
    if (!(answer instanceof Answer.Found found)
        || isCovered(pool, job, found, mayBorrow, supposed)) {
      return answer;
    }
    List<Candidate> staying = who.stream().filter(c -> departing(pool, c) == 0).toList();
    return search(pool, job, staying, mayBorrow, supposed);
  }

  private boolean isCovered(
      Pool pool, Job job, Answer.Found found, boolean mayBorrow, @Nullable Supposed supposed) {
    Map<ShareKey, Integer> taken = new HashMap<>();
    int departing = 0;
    for (Candidate victim : found.victims()) {
      taken.merge(victim.share(), victim.gpus(), Integer::sum);
      departing += departing(pool, victim);
    }
    return departing == 0
        || Cover.allowsAfter(pool, job, lessSupposed(taken, supposed), mayBorrow, departing);
  }

  /** Devices of a candidate that leave the pool with it. */
  private int departing(Pool pool, Candidate candidate) {
    if (candidate.kind() == Candidate.Kind.PLAN) {
      return 0;
    }
    // What is only supposed to start would sit on devices that stay.
    List<Part> parts = state.liveAttempt(candidate.job()).map(Attempt::parts).orElse(List.of());
    int sum = 0;
    for (Part part : parts) {
      NodeSlots slots = pool.nodes().get(part.node());
      if (!part.phase().isFree()) {
        int back = slots.node().countsFree() ? slots.startable(part.devices()) : 0;
        sum += part.devices().size() - back;
      }
    }
    return sum;
  }

  private Answer search(
      Pool pool, Job job, List<Candidate> who, boolean mayBorrow, @Nullable Supposed supposed) {
    SortedMap<String, Integer> room = new TreeMap<>();
    SortedMap<String, Integer> coming = new TreeMap<>();
    Map<String, Integer> open = Holds.openTo(state, pool, job);
    for (NodeSlots slots : pool.nodes().values()) {
      if (slots.node().takesWork()) {
        String name = slots.node().name();
        int kept = open.getOrDefault(name, 0);
        int used = supposed == null ? 0 : supposed.places().getOrDefault(name, 0);
        room.put(name, slots.room(kept) - used);
        coming.put(name, slots.coming(kept));
      }
    }
    Map<ShareKey, Integer> above = new HashMap<>();
    for (Candidate candidate : who) {
      above.computeIfAbsent(candidate.share(), share -> Candidates.above(pool, share, supposed));
    }
    above.remove(job.share());
    return search.find(
        new Question(
            job.share(),
            job.spec().shape(),
            room,
            coming,
            who,
            above,
            taken -> Cover.allowsAfter(pool, job, lessSupposed(taken, supposed), mayBorrow),
            state.now()));
  }

  /** What is taken from each share, less what a supposed start adds to one. */
  private static Map<ShareKey, Integer> lessSupposed(
      Map<ShareKey, Integer> taken, @Nullable Supposed supposed) {
    if (supposed == null) {
      return taken;
    }
    Map<ShareKey, Integer> less = new HashMap<>(taken);
    less.merge(supposed.share(), -supposed.gpus(), Integer::sum);
    return less;
  }

  /** Makes the plan, voids the plans that were taken, and tells the victims to stop. */
  void carryOut(Pool pool, Job job, Answer.Found found) {
    long deadline = state.now();
    List<Attempt> victims = new ArrayList<>();
    int missingPlanned = pool.planned().missing();
    int missingHeld = pool.held().missing();
    for (Candidate victim : found.victims()) {
      if (victim.kind() == Candidate.Kind.PLAN) {
        state.planFor(victim.job()).ifPresent(plan -> state.removePlan(plan.id()));
      } else {
        victims.add(state.liveAttempt(victim.job()).orElseThrow());
      }
    }
    boolean ownOnly =
        !victims.isEmpty() && victims.stream().allMatch(v -> v.share().equals(job.share()));
    for (Candidate victim : found.victims()) {
      if (victim.kind() == Candidate.Kind.ATTEMPT) {
        StopCause cause =
            victim.share().equals(job.share()) ? StopCause.IN_SHARE : StopCause.RECLAIM;
        moves.stop(
            state.liveAttempt(victim.job()).orElseThrow(),
            new Moves.Decision(
                job.key(),
                cause,
                victim.costDeviceMillis(),
                found.approximate(),
                found.rejected(),
                ""));
      }
    }
    for (String node : found.places().keySet()) {
      deadline = Math.max(deadline, lastDeadline(pool, node));
    }
    state.putPlan(
        new Plan(
            state.takePlanId(),
            job.key(),
            job.share(),
            job.spec().unit(),
            found.places(),
            victims.stream().map(Attempt::key).toList(),
            ownOnly ? StopCause.IN_SHARE : StopCause.RECLAIM,
            state.now(),
            deadline,
            missingPlanned,
            missingHeld,
            found.costDeviceMillis(),
            found.approximate(),
            found.rejected()));
  }

  /** Latest SIGKILL among those who were told to stop on a node. */
  private long lastDeadline(Pool pool, String node) {
    long latest = 0;
    for (Attempt attempt : state.attemptsOn(node)) {
      boolean there = attempt.stop() != null && attempt.pool().equals(pool.key());
      latest = there ? Math.max(latest, attempt.stop().deadlineMillis()) : latest;
    }
    return latest;
  }

  /**
   * Where the plan's job could sit on nodes that it claims; empty if its shape does not fit there.
   */
  static Optional<SortedMap<String, Integer>> seatOn(Plan plan, Job job) {
    SortedMap<String, Integer> places = new TreeMap<>();
    for (Map.Entry<String, Integer> place : plan.places().entrySet()) {
      if (places.size() < job.spec().shape().nodes()
          && place.getValue() >= job.spec().shape().gpusPerNode()) {
        places.put(place.getKey(), job.spec().shape().gpusPerNode());
      }
    }
    return places.size() == job.spec().shape().nodes() ? Optional.of(places) : Optional.empty();
  }
}
