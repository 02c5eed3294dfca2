package io.quotashare.agent.attempt;

import static io.quotashare.agent.attempt.AgentFixture.KEEP_MILLIS;
import static io.quotashare.agent.attempt.AgentFixture.NAME;
import static io.quotashare.agent.attempt.AgentFixture.runDir;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How long ended attempts keep their run folders, with their output. */
class KeepForTest {
  private static final long HOUR = 3_600_000;

  private final AgentFixture agent = new AgentFixture();

  private void runToItsEnd() {
    agent.startAndRun();
    agent.supervisor.ended(runDir(), 0);
    agent.tickAfter(10);
    agent.tickAfter(10);
  }

  @Test
  void anOldAttemptLosesItsFolderThoughNothingElseHappens() {
    runToItsEnd();
    agent.acknowledgeAll();

    agent.tickAfter(KEEP_MILLIS - HOUR);
    assertThat(agent.folders.exists(NAME)).isTrue();

    agent.tickAfter(2 * HOUR);
    assertThat(agent.folders.exists(NAME)).isFalse();
  }

  /** The scheduler gives ids again after it has forgotten a job; the agent may not have yet. */
  @Test
  void aLaterJobWithTheSameIdIsStarted() {
    agent.start(command -> command.setJobSequence(3));
    agent.supervisor.running(runDir());
    agent.attempts.tick();
    agent.supervisor.ended(runDir(), 0);
    agent.tickAfter(10);
    agent.tickAfter(10);
    assertThat(agent.status().getJobSequence()).isEqualTo(3);
    agent.acknowledgeAll();

    agent.start(command -> command.setJobSequence(3));
    assertThat(agent.attempts.isLive(NAME)).as("a late command for the first").isFalse();
    agent.acknowledgeAll();
    agent.supervisor.folderRemoved(runDir());
    agent.start(command -> command.setJobSequence(8));

    assertThat(agent.attempts.isLive(NAME)).isTrue();
    assertThat(agent.status().getJobSequence()).isEqualTo(8);
    agent.restart();
    assertThat(agent.attempts.isLive(NAME)).as("the journal says the same").isTrue();
  }

  @Test
  void itsAgeCountsOverRestarts() {
    runToItsEnd();
    agent.acknowledgeAll();
    agent.tickAfter(KEEP_MILLIS - HOUR);
    agent.restart();
    assertThat(agent.folders.exists(NAME)).isTrue();

    agent.tickAfter(2 * HOUR);
    assertThat(agent.folders.exists(NAME)).isFalse();
  }

  @Test
  void anAttemptWhoseEndTheSchedulerDoesNotHaveIsKept() {
    runToItsEnd();

    agent.tickAfter(KEEP_MILLIS + HOUR);
    assertThat(agent.folders.exists(NAME)).isTrue();
    assertThat(agent.attempts.unacknowledged()).isNotEmpty();

    agent.acknowledgeAll();
    assertThat(agent.folders.exists(NAME)).isFalse();
  }
}
