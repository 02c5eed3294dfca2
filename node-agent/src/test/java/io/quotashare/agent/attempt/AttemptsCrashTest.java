package io.quotashare.agent.attempt;

import static io.quotashare.agent.attempt.AgentFixture.ATTEMPT;
import static io.quotashare.agent.attempt.AgentFixture.NAME;
import static io.quotashare.agent.attempt.AgentFixture.runDir;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.agent.supervise.LaunchFailure;
import io.quotashare.agent.supervise.Observation;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The agent dies at every place where it writes something down, just before and just after, and a
 * new one takes over while the scheduler repeats what was not answered. The attempt is never
 * launched twice (the fake supervisor fails on that), and its end is reported and acknowledged.
 */
class AttemptsCrashTest {
  /** An agent process that is no more. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1;
  }

  /** Kills the agent at one of the failpoints that it comes to. */
  private static final class Killer implements Consumer<JournalFailpoint> {
    private int left;

    Killer(int crashAt) {
      left = crashAt;
    }

    boolean hasKilled() {
      return left < 0;
    }

    @Override
    public void accept(JournalFailpoint point) {
      if (left-- == 0) {
        KILLED_AT.add(point);
        throw new Crash();
      }
    }
  }

  private static final Set<JournalFailpoint> KILLED_AT = EnumSet.noneOf(JournalFailpoint.class);

  /** The scheduler's side of one attempt: every step is repeated until the agent has answered. */
  private static final class Story {
    private final AgentFixture agent = new AgentFixture();
    private boolean programStarted;
    private boolean programEnded;

    /** One round of everything that is due; true when the scheduler has the end. */
    boolean round() {
      Optional<AttemptStatus> known =
          agent.attempts.unfinished().stream()
              .filter(s -> s.getAttempt().equals(ATTEMPT))
              .findFirst();
      AttemptPhase phase =
          known.map(AttemptStatus::getPhase).orElse(AttemptPhase.ATTEMPT_PHASE_UNSPECIFIED);
      switch (phase) {
        case ATTEMPT_PHASE_UNSPECIFIED -> agent.start(command -> {});
        case ATTEMPT_PHASE_RUNNING -> {
          agent.checkpoint(1);
          agent.stop(2, 30, true);
        }
        case ATTEMPT_PHASE_FREE, ATTEMPT_PHASE_START_FAILED -> {
          agent.acknowledgeAll();
          return true;
        }
        default -> {}
      }
      world();
      agent.tickAfter(1_000);
      return false;
    }

    /** What happens outside of the agent, whether it lives or not. */
    void world() {
      if (agent.supervisor.launched(runDir()).isPresent() && !programStarted) {
        programStarted = true;
        agent.supervisor.running(runDir());
      } else if (agent.supervisor.stop(runDir()).isPresent() && programStarted && !programEnded) {
        programEnded = true;
        agent.folders.setProgress(NAME, "{\"ack_seq\":2,\"state\":\"stopped\"}");
        agent.supervisor.ended(runDir(), 0);
      } else if (agent.folders.exists(NAME) && !programStarted) {
        // The real supervisor finds that nothing of an interrupted start is there.
        agent.supervisor.set(
            runDir(),
            new Observation.Failed(new LaunchFailure(LaunchFailure.Stage.INTERRUPTED, 0, "")));
      }
    }
  }

  @Test
  void shouldComeToAnEndWhereverTheAgentDies() {
    int crashes = 0;
    while (play(crashes)) {
      crashes++;
      assertThat(crashes).isLessThan(100);
    }
    assertThat(KILLED_AT).containsExactly(JournalFailpoint.values());
  }

  /** Plays the story; false if it was over before the crash. */
  private static boolean play(int crashAt) {
    Story story = new Story();
    Killer killer = new Killer(crashAt);
    boolean crashed = false;
    boolean done = false;
    try {
      story.agent.restartOn(new FailpointJournal(story.agent.journal, killer));
      done = rounds(story);
    } catch (Crash e) {
      crashed = true;
      story.world();
      story.agent.restart();
      done = rounds(story);
    }
    assertThat(done).as("crash at failpoint %d", crashAt).isTrue();
    story.agent.restart();
    assertThat(story.agent.attempts.unacknowledged()).isEmpty();
    assertThat(crashed).isEqualTo(killer.hasKilled());
    return crashed;
  }

  private static boolean rounds(Story story) {
    for (int i = 0; i < 60; i++) {
      if (story.round()) {
        return true;
      }
    }
    return false;
  }
}
