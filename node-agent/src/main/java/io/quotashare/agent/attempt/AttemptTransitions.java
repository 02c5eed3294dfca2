package io.quotashare.agent.attempt;

import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_EXITED;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_FREE;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_RUNNING;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_STARTING;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_START_FAILED;

import io.quotashare.proto.agent.v1.AttemptPhase;
import java.util.Map;
import java.util.Optional;

/** Life of an attempt on its node, as a table. What is not in it cannot happen. */
final class AttemptTransitions {

  /** What can happen to an attempt. */
  enum Event {
    /** The program could not be started; nothing of it runs. */
    LAUNCH_FAILED,
    /** The program is in place. */
    STARTED,
    /** Every process is gone. */
    TREE_GONE,
    /** Its devices are free, or quarantined. */
    RELEASED
  }

  private record Step(AttemptPhase from, Event event) {}

  private static final Map<Step, AttemptPhase> TABLE =
      Map.of(
          new Step(ATTEMPT_PHASE_STARTING, Event.LAUNCH_FAILED), ATTEMPT_PHASE_START_FAILED,
          new Step(ATTEMPT_PHASE_STARTING, Event.STARTED), ATTEMPT_PHASE_RUNNING,
          // It was started and ended between two looks.
          new Step(ATTEMPT_PHASE_STARTING, Event.TREE_GONE), ATTEMPT_PHASE_EXITED,
          new Step(ATTEMPT_PHASE_RUNNING, Event.TREE_GONE), ATTEMPT_PHASE_EXITED,
          new Step(ATTEMPT_PHASE_EXITED, Event.RELEASED), ATTEMPT_PHASE_FREE);

  private AttemptTransitions() {}

  /** The phase after an event; empty if the event is not possible in this phase. */
  static Optional<AttemptPhase> next(AttemptPhase from, Event event) {
    return Optional.ofNullable(TABLE.get(new Step(from, event)));
  }

  /** Whether nothing can happen any more. */
  static boolean isOver(AttemptPhase phase) {
    return phase == ATTEMPT_PHASE_FREE || phase == ATTEMPT_PHASE_START_FAILED;
  }
}
