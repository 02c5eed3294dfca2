package io.quotashare.server.queues;

import io.quotashare.server.store.UsageInstant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where the ledger of a queue can be cut: at its beginning, now, and at the instants that are kept
 * of every pool that had devices by then.
 */
final class UsageInstants {
  private final long beginMillis;
  private final long nowMillis;
  private final NavigableSet<Long> instants = new TreeSet<>();

  /**
   * @param beginMillis when the queue first had devices; {@code nowMillis} if it never had
   */
  UsageInstants(List<UsageInstant> kept, long beginMillis, long nowMillis) {
    this.beginMillis = beginMillis;
    this.nowMillis = nowMillis;
    Map<String, Long> begunByUnit = new HashMap<>();
    Map<Long, Set<String>> unitsByInstant = new HashMap<>();
    for (UsageInstant one : kept) {
      begunByUnit.put(one.unit(), one.startedAtMillis());
      unitsByInstant.computeIfAbsent(one.atMillis(), at -> new HashSet<>()).add(one.unit());
    }
    unitsByInstant.forEach(
        (at, units) -> {
          boolean inside = at > beginMillis && at < nowMillis;
          if (inside && units.containsAll(begunBefore(begunByUnit, at))) {
            instants.add(at);
          }
        });
    instants.add(beginMillis);
    instants.add(nowMillis);
  }

  private static Set<String> begunBefore(Map<String, Long> begunByUnit, long atMillis) {
    Set<String> units = new HashSet<>();
    begunByUnit.forEach(
        (unit, begun) -> {
          if (begun < atMillis) {
            units.add(unit);
          }
        });
    return units;
  }

  /** Where a report begins: the nearest instant that is not later, or the beginning. */
  long start(UsageQuery query) {
    if (query.startMillis().isEmpty()) {
      return beginMillis;
    }
    Long floor = instants.floor(query.startMillis().getAsLong());
    return floor == null ? beginMillis : floor;
  }

  /** Where it ends: the nearest instant that is not earlier, or now. */
  long end(UsageQuery query) {
    if (query.endMillis().isEmpty()) {
      return nowMillis;
    }
    Long ceiling = instants.ceiling(query.endMillis().getAsLong());
    return ceiling == null ? nowMillis : ceiling;
  }

  /**
   * Where it is split, both ends included: a step apart, counted from the start that was asked for,
   * else from full steps since 1970. Each is moved to the nearest instant that is not earlier, so
   * that intervals are longer than the step where too few instants are kept.
   */
  List<Long> split(UsageQuery query, long startMillis, long endMillis) {
    List<Long> result = new ArrayList<>();
    result.add(startMillis);
    if (query.stepMillis().isPresent()) {
      long step = query.stepMillis().getAsLong();
      long origin = query.startMillis().isPresent() ? startMillis : 0;
      long last = startMillis;
      while (true) {
        long target = origin + (Math.floorDiv(last - origin, step) + 1) * step;
        Long next = instants.ceiling(target);
        if (next == null || next >= endMillis) {
          break;
        }
        result.add(next);
        last = next;
      }
    }
    if (endMillis > startMillis) {
      result.add(endMillis);
    }
    return result;
  }
}
