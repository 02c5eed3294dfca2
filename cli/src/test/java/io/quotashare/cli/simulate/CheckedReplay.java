package io.quotashare.cli.simulate;

import io.quotashare.core.replay.InvariantChecker;
import io.quotashare.core.replay.Replay;
import io.quotashare.core.replay.ReplayRecord;
import io.quotashare.core.replay.ReplayResult;
import io.quotashare.core.replay.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Replays scenarios with the invariants of quota-semantics 10 checked after every step. */
final class CheckedReplay {
  private CheckedReplay() {}

  /** Replays and throws {@link AssertionError} unless everything holds. */
  static List<ReplayRecord> run(Scenario scenario) {
    List<ReplayRecord> lines = new ArrayList<>();
    ReplayResult result = Replay.run(scenario, lines::add, new InvariantChecker());
    if (!result.failures().isEmpty()) {
      String failures =
          result.failures().stream().map(Timeline::sentence).collect(Collectors.joining("\n  "));
      throw new AssertionError(scenario.name() + ":\n  " + failures);
    }
    return lines;
  }
}
