package io.quotashare.core.state;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Builds every index anew and compares. For tests: it looks at everything. */
public final class IndexCheck {
  private IndexCheck() {}

  /** What is wrong; empty if nothing is. */
  public static List<String> faults(State state) {
    List<String> faults = new ArrayList<>();
    Map<ShareState, Set<AttemptKey>> expected = new HashMap<>();
    for (Attempt attempt : state.live().values()) {
      ShareState share = state.pools().get(attempt.pool()).share(attempt.share());
      expected.computeIfAbsent(share, s -> new HashSet<>()).add(attempt.key());
    }
    for (Pool pool : state.pools().values()) {
      for (ShareState share : pool.shares().values()) {
        checkRunning(state, share, expected.getOrDefault(share, Set.of()), faults);
      }
    }
    return faults;
  }

  private static void checkRunning(
      State state, ShareState share, Set<AttemptKey> expected, List<String> faults) {
    Set<AttemptKey> found = new HashSet<>();
    for (Running.Entry entry : share.running.all()) {
      found.add(entry.attempt().key());
      if (!entry.attempt().equals(state.live().get(entry.attempt().key()))) {
        faults.add("running attempt of " + share.key() + " is old: " + entry.attempt());
      }
      if (!entry.job().equals(state.jobs().get(entry.job().key()))) {
        faults.add("job of a running attempt of " + share.key() + " is old: " + entry.job());
      }
    }
    if (!found.equals(expected)) {
      faults.add("running in " + share.key() + ": " + found + " (expected: " + expected + ")");
    }
    if (!share.running.sumsAreRight()) {
      faults.add("sums of what runs in " + share.key());
    }
  }
}
