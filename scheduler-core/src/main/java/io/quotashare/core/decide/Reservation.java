package io.quotashare.core.decide;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Stop;
import io.quotashare.core.placement.Seating;
import io.quotashare.core.state.NodeSlots;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.Running;
import io.quotashare.core.state.ShareState;
import io.quotashare.core.state.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * When and where a front job will start at the latest, if every running attempt ends by its time
 * limit and every victim by its deadline (quota-semantics 2.4): attempts are ended in that order on
 * a copy of the nodes' room until the job sits and is covered. Attempts without a time limit never
 * end here.
 *
 * @param startMillis when
 * @param spareByNode devices that the job leaves over on the nodes that it will sit on
 * @param takenByShare devices that shares will have given back by then
 */
record Reservation(
    long startMillis, Map<String, Integer> spareByNode, Map<ShareKey, Integer> takenByShare) {
  private record End(long atMillis, Attempt attempt) {}

  /** The reservation of a job; empty if its start cannot be told. */
  static Optional<Reservation> of(State state, Pool pool, Job job, boolean mayBorrow) {
    Map<String, Integer> open = Holds.openTo(state, pool, job);
    TreeMap<String, Integer> room = new TreeMap<>();
    for (NodeSlots slots : pool.nodes().values()) {
      if (slots.node().takesWork()) {
        String name = slots.node().name();
        room.put(name, slots.unclaimed() + open.getOrDefault(name, 0));
      }
    }
    Map<ShareKey, Integer> taken = new HashMap<>();
    for (End end : ends(state, pool)) {
      for (Part part : end.attempt.parts()) {
        NodeSlots slots = pool.nodes().get(part.node());
        if (!part.phase().isFree() && room.containsKey(part.node())) {
          room.merge(part.node(), slots.startable(part.devices()), Integer::sum);
        }
      }
      if (end.attempt.isPlanned()) {
        taken.merge(end.attempt.share(), end.attempt.heldGpus(), Integer::sum);
      }
      Optional<SortedMap<String, Integer>> seats =
          Seating.places(job.spec().shape(), room, Map.of());
      if (seats.isPresent() && Cover.allowsAfter(pool, job, taken, mayBorrow)) {
        Map<String, Integer> spare = new HashMap<>();
        seats.get().forEach((node, devices) -> spare.put(node, room.get(node) - devices));
        return Optional.of(new Reservation(end.atMillis, spare, taken));
      }
    }
    return Optional.empty();
  }

  private static List<End> ends(State state, Pool pool) {
    List<End> ends = new ArrayList<>();
    for (ShareState share : pool.shares().values()) {
      for (Running.Entry entry : share.running().all()) {
        end(state, entry).ifPresent(at -> ends.add(new End(at, entry.attempt())));
      }
    }
    ends.sort(Comparator.comparingLong(End::atMillis).thenComparing(end -> end.attempt.key()));
    return ends;
  }

  private static OptionalLong end(State state, Running.Entry entry) {
    Attempt attempt = entry.attempt();
    Stop stop = attempt.stop();
    if (stop != null) {
      return OptionalLong.of(stop.deadlineMillis());
    }
    OptionalLong limit = entry.job().spec().timeLimitMillis();
    return limit.isEmpty()
        ? limit
        : OptionalLong.of(attempt.runningAtMillis().orElse(state.now()) + limit.getAsLong());
  }
}
