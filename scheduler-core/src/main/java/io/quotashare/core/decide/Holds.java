package io.quotashare.core.decide;

import io.quotashare.core.decide.DecisionPass.Tried;
import io.quotashare.core.decide.Fronts.Front;
import io.quotashare.core.model.Hold;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.state.NodeSlots;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keeps nodes for a front job within its limit whose shape others hold within theirs
 * (quota-semantics 3e): one job a pool, the earliest submitted, the nodes where its shape needs the
 * fewest devices to come free. It stops nobody, and keeps a gang that its team owns from starving
 * behind small jobs.
 */
final class Holds {
  private final State state;

  Holds(State state) {
    this.state = state;
  }

  /** Brings the hold of a pool up to date; whether it changed, so that all must be tried anew. */
  boolean update(Pool pool, List<Front> fronts, Map<JobKey, Tried> tried) {
    Optional<Job> entitled =
        fronts.stream()
            .map(Front::job)
            .filter(job -> tried.containsKey(job.key()) && tried.get(job.key()).noVictims())
            .min(Comparator.comparingLong(Job::sequence));
    Optional<Hold> before = pool.hold();
    Optional<Hold> after = entitled.flatMap(job -> hold(pool, job, before));
    if (before.equals(after)) {
      return false;
    }
    state.putHold(pool, after.orElse(null));
    return true;
  }

  /**
   * What the hold of a pool keeps and a job may use all the same: its own, and that of a job that
   * was submitted after it, if it is within its limit. So whether a job has victims does not depend
   * on holds that it goes before, and a hold does not change hands for ever.
   */
  static Map<String, Integer> openTo(State state, Pool pool, Job job) {
    return pool.hold()
        .filter(hold -> !binds(state, pool, hold, job))
        .<Map<String, Integer>>map(Hold::places)
        .orElse(Map.of());
  }

  private static boolean binds(State state, Pool pool, Hold hold, Job job) {
    if (hold.job().equals(job.key())) {
      return false;
    }
    boolean earlier = job.sequence() < state.job(hold.job()).sequence();
    return !earlier || !pool.planned().withinLimit(job.share(), job.gpus());
  }

  /** Where a job sits on free devices, with what the hold keeps if it does not bind it. */
  static Optional<SortedMap<String, Integer>> place(State state, Pool pool, Job job) {
    return openTo(state, pool, job).isEmpty()
        ? pool.place(job.spec().shape())
        : pool.placeInSpiteOfHold(job.spec().shape());
  }

  /** Ends the hold of a job that is no longer a front job, before others are looked at. */
  void endUnlessFront(Pool pool, List<Front> fronts) {
    boolean stands =
        pool.hold().isEmpty()
            || fronts.stream().anyMatch(front -> front.job().key().equals(pool.hold().get().job()));
    if (!stands) {
      state.putHold(pool, null);
    }
  }

  private record Place(String node, int missing, boolean kept) {}

  private static Optional<Hold> hold(Pool pool, Job job, Optional<Hold> before) {
    Map<String, Integer> own =
        before
            .filter(hold -> hold.job().equals(job.key()))
            .<Map<String, Integer>>map(Hold::places)
            .orElse(Map.of());
    Map<String, Integer> foreign =
        own.isEmpty() ? before.<Map<String, Integer>>map(Hold::places).orElse(Map.of()) : Map.of();
    int needed = job.spec().shape().gpusPerNode();
    List<Place> places = new ArrayList<>();
    for (NodeSlots slots : pool.nodes().values()) {
      String name = slots.node().name();
      int usable = slots.total() - slots.outside() - slots.unhealthy();
      if (slots.node().takesWork() && usable - slots.claimed() >= needed) {
        // Another job's hold ends with this one, so what it keeps counts as there.
        int room = slots.room(own.getOrDefault(name, 0) + foreign.getOrDefault(name, 0));
        places.add(new Place(name, Math.max(0, needed - room), own.containsKey(name)));
      }
    }
    if (places.size() < job.spec().shape().nodes()) {
      return Optional.empty();
    }
    // Among equals a node that is kept already stays, so that the hold does not wander.
    places.sort(
        Comparator.comparingInt(Place::missing)
            .thenComparing(place -> !place.kept())
            .thenComparing(Place::node));
    SortedMap<String, Integer> chosen = new TreeMap<>();
    for (Place place : places.subList(0, job.spec().shape().nodes())) {
      chosen.put(place.node(), needed);
    }
    return Optional.of(new Hold(job.key(), pool.key(), chosen));
  }
}
