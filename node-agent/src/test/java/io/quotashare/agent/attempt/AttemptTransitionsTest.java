package io.quotashare.agent.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.agent.attempt.AttemptTransitions.Event;
import io.quotashare.proto.agent.v1.AttemptPhase;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AttemptTransitionsTest {
  /** Every phase and event; what is not named here is not possible. */
  @Test
  void shouldHoldInTheFullMatrix() {
    TreeMap<String, String> possible = new TreeMap<>();
    for (AttemptPhase phase : AttemptPhase.values()) {
      for (Event event : Event.values()) {
        AttemptTransitions.next(phase, event)
            .ifPresent(next -> possible.put(name(phase) + " " + event, name(next)));
      }
    }
    assertThat(possible)
        .containsOnly(
            java.util.Map.entry("STARTING LAUNCH_FAILED", "START_FAILED"),
            java.util.Map.entry("STARTING STARTED", "RUNNING"),
            java.util.Map.entry("STARTING TREE_GONE", "EXITED"),
            java.util.Map.entry("RUNNING TREE_GONE", "EXITED"),
            java.util.Map.entry("EXITED RELEASED", "FREE"));
  }

  @Test
  void shouldEndInFreeOrStartFailedAndNeverLeaveThem() {
    for (AttemptPhase phase : AttemptPhase.values()) {
      boolean canMove =
          List.of(Event.values()).stream()
              .map(event -> AttemptTransitions.next(phase, event))
              .anyMatch(Optional::isPresent);
      boolean isReal = phase != AttemptPhase.UNRECOGNIZED && phase.getNumber() != 0;
      if (isReal) {
        assertThat(AttemptTransitions.isOver(phase)).as(phase.name()).isEqualTo(!canMove);
      }
    }
  }

  @Test
  void shouldRefuseAnImpossibleEventAndNameIt() {
    Attempt attempt =
        new Attempt(
            new AttemptSpec(
                AgentFixture.NAME,
                "s",
                List.of(),
                0,
                1,
                List.of("x"),
                0,
                OptionalLong.empty(),
                false,
                0),
            0,
            0);
    assertThatThrownBy(() -> attempt.apply(Event.RELEASED))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(AgentFixture.ATTEMPT + ": RELEASED while ATTEMPT_PHASE_STARTING");
  }

  private static String name(AttemptPhase phase) {
    return phase.name().replace("ATTEMPT_PHASE_", "");
  }
}
