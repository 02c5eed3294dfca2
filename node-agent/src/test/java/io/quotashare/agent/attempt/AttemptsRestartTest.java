package io.quotashare.agent.attempt;

import static io.quotashare.agent.attempt.AgentFixture.ATTEMPT;
import static io.quotashare.agent.attempt.AgentFixture.GPU0;
import static io.quotashare.agent.attempt.AgentFixture.NAME;
import static io.quotashare.agent.attempt.AgentFixture.runDir;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_FREE;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_RUNNING;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_STARTING;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_START_FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.agent.supervise.FakeSupervisor;
import io.quotashare.agent.supervise.LaunchFailure;
import io.quotashare.agent.supervise.Observation;
import io.quotashare.agent.supervise.StopTimes;
import io.quotashare.proto.agent.v1.AttemptStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an agent that was restarted makes of what it finds (node-agent 4.2). */
class AttemptsRestartTest {
  private final AgentFixture agent = new AgentFixture();

  @Test
  void shouldGoOnWithWhatRuns() {
    agent.startAndRun();
    long version = agent.status().getVersion();

    agent.restart();

    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_RUNNING);
    assertThat(agent.status().getVersion()).isGreaterThan(version);
    assertThat(agent.attempts.isLive(NAME)).isTrue();
    agent.start(command -> command.setAttempt("queues/q/jobs/other/attempts/1"));
    assertThat(agent.attempts.unfinished())
        .anyMatch(s -> s.getDetail().contains("held by " + ATTEMPT));
  }

  @Test
  void shouldReportAnEndThatHappenedMeanwhile() {
    agent.startAndRun();
    agent.supervisor.ended(runDir(), 7);
    agent.restart();
    agent.attempts.tick();
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_FREE);
    assertThat(agent.status().getExitCode()).isEqualTo(7);
  }

  @Test
  void shouldSayThatAnExitIsNotKnown() {
    agent.startAndRun();
    agent.supervisor.lost(runDir(), false);
    agent.restart();
    AttemptStatus status = agent.status();
    assertThat(status.hasExitCode()).isFalse();
    assertThat(status.hasExitSignal()).isFalse();
    assertThat(status.getDetail())
        .isEqualTo("LOST_EXIT: its supervisor was killed, so its exit is not known");
  }

  @Test
  void shouldTellALostExitAfterAConfirmationFromACrash() {
    agent.startAndRun();
    agent.stop(3, 60, true);
    agent.folders.setProgress(NAME, "{\"ack_seq\":3,\"state\":\"stopped\"}");
    agent.supervisor.lost(runDir(), false);
    agent.restart();
    assertThat(agent.status().getDetail()).contains("it had confirmed request 3 before");
    assertThat(agent.status().getProgress().getAckSeq()).isEqualTo(3);
  }

  @Test
  void shouldTakeAllAttemptsForOverAfterAReboot() {
    agent.startAndRun();
    agent.supervisor.lost(runDir(), true);
    agent.restart();
    agent.attempts.tick();
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_FREE);
    assertThat(agent.status().getDetail())
        .isEqualTo("LOST_EXIT: the host was rebooted while it ran");
  }

  @Test
  void shouldRepeatAnEndUntilItIsAcknowledgedOverAnyNumberOfRestarts() {
    agent.startAndRun();
    agent.supervisor.ended(runDir(), 7);
    agent.tickAfter(100);
    agent.attempts.tick();
    AttemptStatus end = agent.status();
    for (int i = 0; i < 3; i++) {
      agent.restart();
      assertThat(agent.attempts.unacknowledged()).containsExactly(end);
    }
    agent.attempts.acknowledge(ATTEMPT, end.getVersion() - 1);
    assertThat(agent.attempts.unacknowledged()).hasSize(1);

    agent.attempts.acknowledge(ATTEMPT, end.getVersion());
    assertThat(agent.attempts.unacknowledged()).isEmpty();
    agent.restart();
    assertThat(agent.attempts.unfinished()).isEmpty();
  }

  @Test
  void shouldKeepTheDeadlineOfAStopOverARestart() {
    agent.startAndRun();
    agent.stop(2, 60, true);
    StopTimes before = agent.supervisor.stop(runDir()).orElseThrow();
    agent.clock.advance(10_000);

    agent.restart();

    assertThat(agent.supervisor.stop(runDir())).contains(before);
    assertThat(agent.status().hasStopRequestedAt()).isTrue();
    // The job was asked before; it is the same request, with the same deadline.
    assertThat(agent.folders.controls(NAME)).hasSize(2);
    assertThat(agent.folders.controls(NAME).get(1)).isEqualTo(agent.folders.controls(NAME).get(0));
    agent.stop(2, 60, true);
    assertThat(agent.supervisor.stop(runDir())).contains(before);
  }

  @Test
  void shouldAcceptAConfirmationOfARequestOfBefore() {
    agent.startAndRun();
    agent.checkpoint(5);
    agent.restart();
    agent.restart();
    agent.folders.setProgress(NAME, "{\"ack_seq\":5}");
    agent.tickAfter(1_000);
    assertThat(agent.status().getProgress().getAckSeq()).isEqualTo(5);
    agent.checkpoint(5);
    assertThat(agent.folders.controls(NAME)).allMatch(request -> request.seq() == 5);
  }

  @Test
  void shouldFailAStartOfWhichNothingIsThere() {
    agent.journal.append(
        new AttemptJournal.StartIntent(
            new AttemptSpec(
                NAME,
                "s",
                List.of(GPU0),
                0,
                1,
                List.of("train"),
                1_000,
                java.util.OptionalLong.empty(),
                false,
                5),
            1));
    agent.restart();
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_STARTING);
    // The real supervisor looks for processes of it, and finds none.
    agent.supervisor.set(
        runDir(),
        new Observation.Failed(new LaunchFailure(LaunchFailure.Stage.INTERRUPTED, 0, "")));
    agent.attempts.tick();
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_START_FAILED);
    assertThat(agent.status().getDetail())
        .isEqualTo("the agent of node n1 was restarted during the start; nothing runs");
    assertThat(agent.status().getNodeFault()).isTrue();
  }

  @Test
  void shouldGoOnWithAJobThatRemovedItsRunFolder() {
    agent.startAndRun();
    agent.folders.remove(NAME);

    agent.restart();

    assertThat(agent.supervisor.adopted(runDir())).contains(FakeSupervisor.started());
    assertThat(agent.folders.exists(NAME)).isTrue();
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_RUNNING);
    // And again, although the journal was written anew meanwhile.
    agent.folders.remove(NAME);
    agent.restart();
    assertThat(agent.supervisor.adopted(runDir())).contains(FakeSupervisor.started());
    agent.supervisor.ended(runDir(), 7);
    agent.attempts.tick();
    assertThat(agent.status().getExitCode()).isEqualTo(7);
  }

  @Test
  void shouldFailAStartThatWasInterrupted() {
    agent.gate.hold();
    agent.start(command -> {});
    agent.restart();
    agent.supervisor.set(
        runDir(),
        new Observation.Failed(new LaunchFailure(LaunchFailure.Stage.INTERRUPTED, 0, "")));
    agent.attempts.tick();
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_START_FAILED);
    assertThat(agent.status().getDetail())
        .isEqualTo("the agent of node n1 was restarted during the start; nothing runs");
    assertThat(agent.status().getNodeFault()).isTrue();
  }

  @Test
  void shouldGoOnWithWhatRunsWhenTheJournalIsGone() {
    agent.startAndRun();
    agent.journal.compact(List.of());
    agent.restart();
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_RUNNING);
  }

  @Test
  void shouldKeepOnlySoManyEndedAttempts() {
    for (int i = 1; i <= 6; i++) {
      endOne("queues/q/jobs/j/attempts/" + i);
    }
    assertThat(agent.folders.list().stream().map(AttemptName::number)).containsExactly(4, 5, 6);
  }

  @Test
  void shouldKeepOnlySoMuchOutput() {
    agent.folders.setOutputBytes(AttemptName.parse("queues/q/jobs/j/attempts/1"), 10);
    agent.folders.setOutputBytes(AttemptName.parse("queues/q/jobs/j/attempts/2"), 900);
    agent.folders.setOutputBytes(AttemptName.parse("queues/q/jobs/j/attempts/3"), 200);
    for (int i = 1; i <= 3; i++) {
      endOne("queues/q/jobs/j/attempts/" + i);
    }
    assertThat(agent.folders.list().stream().map(AttemptName::number)).containsExactly(3);
  }

  @Test
  void shouldKeepTheJournalShort() {
    for (int i = 1; i <= 600; i++) {
      endOne("queues/q/jobs/j/attempts/" + i);
    }
    assertThat(agent.journal.entries()).hasSizeLessThan(AttemptRegistry.JOURNAL_SLACK + 50);
  }

  private void endOne(String attempt) {
    AttemptName name = AttemptName.parse(attempt);
    agent.start(command -> command.setAttempt(attempt));
    agent.supervisor.ended(agent.folders.of(name), 0);
    agent.tickAfter(10);
    agent.attempts.tick();
    agent.acknowledgeAll();
  }
}
