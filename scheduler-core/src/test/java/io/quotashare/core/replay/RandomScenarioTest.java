package io.quotashare.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The invariants of quota-semantics 10 in scenarios that nobody thought of. */
class RandomScenarioTest {
  /** As many as one test run can afford; a longer run sets another number. */
  private static final int SEEDS = Integer.getInteger("quotashare.seeds", 300);

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyInvariantHoldsAfterEveryStep(boolean calm) {
    List<String> broken = new ArrayList<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        Replay.run(RandomScenario.of(seed, calm), line -> {}, new InvariantChecker());
      } catch (AssertionError | RuntimeException e) {
        broken.add("seed " + seed + ": " + e);
      }
    }
    assertThat(broken).as("calm: %s", calm).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theSameEventsGiveTheSameDecisions(boolean calm) {
    for (long seed = 0; seed < SEEDS / 10; seed++) {
      List<ReplayRecord> first = new ArrayList<>();
      List<ReplayRecord> second = new ArrayList<>();
      Replay.run(RandomScenario.of(seed, calm), first::add);
      Replay.run(RandomScenario.of(seed, calm), second::add);
      assertThat(second).as("seed %s", seed).isEqualTo(first);
    }
  }
}
