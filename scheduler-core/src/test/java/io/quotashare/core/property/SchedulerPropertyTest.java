package io.quotashare.core.property;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/**
 * Random policies, nodes and events. A failure is made smaller and printed as the body of a test.
 * For long runs: {@code -Djqwik.tries.default=100000}.
 */
class SchedulerPropertyTest {
  private static final int MAX_STEPS = 90;

  @Provide
  Arbitrary<Sequence> sequences() {
    return Arbitraries.fromGenerator(
        random -> Sequences.random(random.nextLong(), MAX_STEPS).shrinkable());
  }

  /**
   * The seed is fixed so that a build fails for what changed and not by chance; more tries go
   * further along it.
   */
  @Property(seed = "20261201", edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.FULL)
  void everyDecisionFollowsTheRules(@ForAll("sequences") Sequence sequence) {
    sequence.run();
  }
}
