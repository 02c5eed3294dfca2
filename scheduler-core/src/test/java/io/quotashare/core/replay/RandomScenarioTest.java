package io.quotashare.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The invariants of quota-semantics 10 in scenarios that nobody thought of. */
class RandomScenarioTest {
  /** As many as one test run can afford; a longer run sets another number. */
  private static final int SEEDS = Integer.getInteger("quotashare.seeds", 150);

  @ParameterizedTest
  @EnumSource
  void everyInvariantHoldsAfterEveryStep(RandomScenario.Kind kind) {
    boolean entitled = kind == RandomScenario.Kind.ENTITLED;
    long mostWaitMillis = entitled ? RandomScenario.MOST_WAIT_MILLIS : Long.MAX_VALUE;
    List<String> broken = new ArrayList<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        Replay.run(RandomScenario.of(seed, kind), line -> {}, new InvariantChecker(mostWaitMillis));
      } catch (AssertionError | RuntimeException e) {
        broken.add("seed " + seed + ": " + e);
      }
    }
    assertThat(broken).as("%s", kind).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void theSameEventsGiveTheSameDecisions(RandomScenario.Kind kind) {
    for (long seed = 0; seed < SEEDS / 10; seed++) {
      List<ReplayRecord> first = new ArrayList<>();
      List<ReplayRecord> second = new ArrayList<>();
      Replay.run(RandomScenario.of(seed, kind), first::add);
      Replay.run(RandomScenario.of(seed, kind), second::add);
      assertThat(second).as("seed %s", seed).isEqualTo(first);
    }
  }
}
