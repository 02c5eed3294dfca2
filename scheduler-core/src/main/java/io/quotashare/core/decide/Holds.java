package io.quotashare.core.decide;

import io.quotashare.core.decide.DecisionPass.Tried;
import io.quotashare.core.model.Hold;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Shape;
import io.quotashare.core.state.Front;
import io.quotashare.core.state.NodeSlots;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Keeps nodes for a front job within its limit whose shape others hold within theirs
 * (quota-semantics 3e): one job a pool, the earliest submitted, the nodes where its shape needs the
 * fewest devices to come free. It stops nobody, and keeps a gang that its team owns from starving
 * behind small jobs.
 */
final class Holds {
  private final State state;
  private final Fronts fronts;

  Holds(State state, Fronts fronts) {
    this.state = state;
    this.fronts = fronts;
  }

  /** Brings the hold of a pool up to date; whether it changed, so that all must be tried anew. */
  boolean update(Pool pool, Map<JobKey, Tried> tried) {
    Optional<Job> entitled = entitled(pool, tried);
    Optional<Hold> before = pool.hold();
    Optional<Hold> after = entitled.flatMap(job -> hold(pool, job, before));
    if (before.equals(after)) {
      return false;
    }
    state.putHold(pool, after.orElse(null));
    return true;
  }

  /** The earliest submitted of those within their limit who have no victims. */
  private Optional<Job> entitled(Pool pool, Map<JobKey, Tried> tried) {
    for (Front front : fronts.bySubmission(pool)) {
      Tried result = tried.get(front.job().key());
      if (result == null || result.noVictims()) {
        return Optional.of(front.job());
      }
    }
    return Optional.empty();
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
  void endUnlessFront(Pool pool) {
    Optional<Hold> hold = pool.hold();
    if (hold.isPresent() && !isFront(pool, hold.get().job())) {
      state.putHold(pool, null);
    }
  }

  private boolean isFront(Pool pool, JobKey key) {
    // It may have ended and be forgotten.
    return Optional.ofNullable(state.jobs().get(key))
        .flatMap(job -> fronts.of(pool, job.share()))
        .filter(front -> front.job().key().equals(key))
        .isPresent();
  }

  private record Place(String node, int missing, boolean kept) {}

  private static boolean isEligible(NodeSlots slots, int needed) {
    int usable = slots.total() - slots.outside() - slots.unhealthy();
    return slots.node().takesWork() && usable - slots.claimed() >= needed;
  }

  private static Place place(NodeSlots slots, int open, int needed, boolean kept) {
    return new Place(slots.node().name(), Math.max(0, needed - slots.room(open)), kept);
  }

  /**
   * Adds nodes that are not kept, those with the most room first, until there are enough: among
   * nodes that miss equally many devices the first by name. So no others can be chosen.
   */
  private static void addEasiest(Pool pool, Shape shape, Set<String> kept, List<Place> places) {
    int needed = shape.gpusPerNode();
    int enough = 0;
    NavigableSet<String> ready = new TreeSet<>();
    pool.nodesByRoom().tailMap(needed, true).values().forEach(ready::addAll);
    List<Collection<String>> byMissing = new ArrayList<>();
    byMissing.add(ready);
    byMissing.addAll(pool.nodesByRoom().headMap(needed, false).descendingMap().values());
    for (Collection<String> names : byMissing) {
      Iterator<String> next = names.iterator();
      while (next.hasNext() && enough < shape.nodes()) {
        NodeSlots slots = pool.nodes().get(next.next());
        if (!kept.contains(slots.node().name()) && isEligible(slots, needed)) {
          places.add(place(slots, 0, needed, false));
          enough++;
        }
      }
    }
  }

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
    // Another job's hold ends with this one, so what it keeps counts as there.
    Map<String, Integer> kept = own.isEmpty() ? foreign : own;
    for (Map.Entry<String, Integer> entry : kept.entrySet()) {
      NodeSlots slots = pool.nodes().get(entry.getKey());
      if (slots != null && isEligible(slots, needed)) {
        places.add(place(slots, entry.getValue(), needed, own.containsKey(entry.getKey())));
      }
    }
    addEasiest(pool, job.spec().shape(), kept.keySet(), places);
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
