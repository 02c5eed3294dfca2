package io.quotashare.core.model;

import static io.quotashare.core.model.Check.checkArgument;

import java.util.SortedMap;
import java.util.TreeMap;

/** A borrow or lend limit, relative to the own capacity or absolute (quota-semantics 1). */
public sealed interface Limit {
  /** Stands for "no limit", in devices. */
  int UNLIMITED = Integer.MAX_VALUE;

  /**
   * The limit in devices for a unit of which the share owns {@code capacity}; {@link #UNLIMITED}
   * for none.
   */
  int devices(String unit, int capacity);

  /**
   * Percent of the own capacity, rounded down.
   *
   * @param percent 0 or more; -1 for no limit
   */
  record Percent(int percent) implements Limit {
    public Percent {
      checkArgument(percent >= -1, "percent: %s (expected: -1 or more)", percent);
    }

    @Override
    public int devices(String unit, int capacity) {
      if (percent == -1) {
        return UNLIMITED;
      }
      return (int) Math.min((long) capacity * percent / 100, UNLIMITED - 1L);
    }
  }

  /**
   * Absolute numbers of devices by unit; a unit that is not listed has limit 0.
   *
   * @param byUnit devices, each 0 or more
   */
  record Devices(SortedMap<String, Integer> byUnit) implements Limit {
    public Devices {
      byUnit = new TreeMap<>(byUnit);
      byUnit.forEach(
          (unit, n) -> checkArgument(n >= 0, "limit of %s: %s (expected: >= 0)", unit, n));
    }

    @Override
    public int devices(String unit, int capacity) {
      return byUnit.getOrDefault(unit, 0);
    }
  }
}
