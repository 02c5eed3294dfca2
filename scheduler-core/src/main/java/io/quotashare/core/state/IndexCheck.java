package io.quotashare.core.state;

import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.QuotaShare;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
        checkFront(state, pool, share, faults);
      }
      if (!pool.fronts().groupsAreRight()) {
        faults.add("groups of the fronts of " + pool.key());
      }
      if (!pool.nodeIndexesAreRight()) {
        faults.add("sums and indexes of the nodes of " + pool.key());
      }
    }
    return faults;
  }

  /** A front that nobody said had changed is what it would be if it were worked out now. */
  private static void checkFront(State state, Pool pool, ShareState share, List<String> faults) {
    if (pool.fronts().isChanged(share)) {
      return;
    }
    Front known = pool.fronts().of(share.key()).orElse(null);
    QuotaShare config = state.shares().get(share.key());
    boolean enabled =
        config.state() == AdminState.ENABLED && pool.queue().state() == AdminState.ENABLED;
    Job front = enabled ? state.lines().front(share).orElse(null) : null;
    if (!Objects.equals(front, known == null ? null : known.job())) {
      faults.add("front of " + share.key() + ": " + known + " (expected: " + front + ")");
    } else if (known != null) {
      int use = pool.planned().use(share.key());
      int capacity = pool.planned().capacity(share.key());
      int gpus = 0;
      for (Running.Entry entry : share.running.all()) {
        boolean victim =
            config.inSharePreemption()
                && entry.attempt().state().isCandidate()
                && entry.job().priority() < known.job().priority();
        gpus += victim ? entry.attempt().heldGpus() : 0;
      }
      boolean after = gpus > 0 && use + known.job().gpus() - gpus <= capacity;
      Front expected =
          new Front(
              known.job(),
              config,
              use,
              capacity,
              use + known.job().gpus() <= capacity,
              after,
              gpus > 0);
      if (!known.equals(expected)) {
        faults.add(known + " (expected: " + expected + ")");
      }
    }
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
