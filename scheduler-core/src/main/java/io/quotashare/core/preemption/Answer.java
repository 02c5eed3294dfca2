package io.quotashare.core.preemption;

import io.quotashare.core.model.RejectedAlternative;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a victim search found. */
public sealed interface Answer {
  /**
   * An admissible set (quota-semantics 4.5); empty if nothing need be taken.
   *
   * @param victims what to take, cheapest decision first
   * @param places where the job will sit: devices by node
   * @param costDeviceMillis sum of their prices
   * @param approximate whether a search bound ended the choice of the cheapest set early
   * @param rejected the best that were not chosen, with the reason in words; at most {@link
   *     io.quotashare.core.model.Plan#MAX_REJECTED}
   */
  record Found(
      List<Candidate> victims,
      SortedMap<String, Integer> places,
      long costDeviceMillis,
      boolean approximate,
      List<RejectedAlternative> rejected)
      implements Answer {
    public Found {
      victims = List.copyOf(victims);
      places = new TreeMap<>(places);
      rejected = List.copyOf(rejected);
    }
  }

  /**
   * Every admissible set contains an attempt that {@code minRuntime} protects (quota-semantics
   * 4.6).
   *
   * @param untilMillis when the first set becomes free of such attempts
   */
  record OnlyYoung(long untilMillis) implements Answer {}

  /**
   * No admissible set exists, or the systematic search ended at its bound without one; then nobody
   * is stopped rather than the wrong one.
   */
  record None() implements Answer {}
}
