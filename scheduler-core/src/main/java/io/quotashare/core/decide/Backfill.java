package io.quotashare.core.decide;

import io.quotashare.core.model.Job;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.placement.Seating;
import io.quotashare.core.state.Front;
import io.quotashare.core.state.NodeSlots;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.ShareState;
import io.quotashare.core.state.State;
import io.quotashare.core.steps.Moves;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Lets a later job of a BACKFILL share start if it does not delay the front job (quota-semantics
 * 2.4): it ends by its time limit before the front job's reservation, or uses devices, node by
 * node, that the reservation does not need, and leaves its share the limit that the front job
 * needs. Where the start of the front job cannot be told, nothing overtakes it.
 */
final class Backfill {
  /** Jobs behind a front job that are looked at in one pass. */
  private static final int MAX_LOOKED_AT = 100;

  private final State state;
  private final Moves moves;
  private final Fronts fronts;
  private final ShortLoans shortLoans;

  Backfill(State state, Moves moves, Fronts fronts, ShortLoans shortLoans) {
    this.state = state;
    this.moves = moves;
    this.fronts = fronts;
    this.shortLoans = shortLoans;
  }

  /** Starts at most one job; whether it did. */
  boolean startOne(Pool pool) {
    for (Front front : fronts.backfilling(pool)) {
      if (startOne(pool, front)) {
        return true;
      }
    }
    return false;
  }

  private boolean startOne(Pool pool, Front front) {
    ShareState share = pool.share(front.share().key());
    if (share.line().size() < 2 || waitsForWhatLeavesAlone(pool, front)) {
      return false;
    }
    Optional<Reservation> found = Reservation.of(state, pool, front.job(), mayBorrow(front));
    if (found.isEmpty()) {
      return false;
    }
    Reservation reservation = found.get();
    List<Job> later =
        share.line().stream()
            .skip(1)
            .limit(MAX_LOOKED_AT)
            .map(turn -> state.job(turn.job()))
            .toList();
    for (Job job : later) {
      Optional<SortedMap<String, Integer>> places =
          places(pool, front, job, reservation).filter(where -> !isTakenBack(pool, job, where));
      if (places.isPresent()) {
        moves.start(job, places.get());
        return true;
      }
    }
    return false;
  }

  private boolean isTakenBack(Pool pool, Job job, SortedMap<String, Integer> places) {
    return !pool.planned().withinLimit(job.share(), job.gpus())
        && shortLoans.takenBackFor(pool, job, places).isPresent();
  }

  /**
   * Whether the front job could start if nobody held what is leaving any more: it will as soon as
   * that is free, which may be long before the deadlines. Whoever overtook it would take the limit
   * that it needs, and be stopped for it in the same pass.
   */
  private boolean waitsForWhatLeavesAlone(Pool pool, Front front) {
    Job job = front.job();
    Map<String, Integer> open = Holds.openTo(state, pool, job);
    Map<String, Integer> room = new TreeMap<>();
    for (NodeSlots slots : pool.nodes().values()) {
      if (slots.node().takesWork()) {
        String name = slots.node().name();
        room.put(name, slots.room(open.getOrDefault(name, 0)));
      }
    }
    return Cover.allowsAfter(pool, job, Map.of(), mayBorrow(front))
        && Seating.places(job.spec().shape(), room, Map.of()).isPresent();
  }

  private Optional<SortedMap<String, Integer>> places(
      Pool pool, Front front, Job job, Reservation reservation) {
    boolean mayBorrow = Fronts.mayBorrow(front.share(), job) && !pool.borrowingBlocked();
    if (!job.state().isWaiting() || !Cover.allowsNow(pool, job, mayBorrow)) {
      return Optional.empty();
    }
    OptionalLong limit = job.spec().timeLimitMillis();
    if (limit.isPresent() && state.now() + limit.getAsLong() <= reservation.startMillis()) {
      return pool.place(job.spec().shape());
    }
    return leavesTheLimit(pool, front, job, reservation)
        ? pool.placeWithin(job.spec().shape(), reservation.spareByNode())
        : Optional.empty();
  }

  private static boolean mayBorrow(Front front) {
    return Fronts.mayBorrow(front.share(), front.job());
  }

  /** Whether the front job is still covered at its reservation with this job beside it. */
  private static boolean leavesTheLimit(Pool pool, Front front, Job job, Reservation reservation) {
    Map<ShareKey, Integer> taken = new HashMap<>(reservation.takenByShare());
    taken.merge(job.share(), -job.gpus(), Integer::sum);
    return Cover.allowsAfter(pool, front.job(), taken, mayBorrow(front));
  }
}
