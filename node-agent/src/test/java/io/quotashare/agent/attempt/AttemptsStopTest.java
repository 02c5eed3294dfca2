package io.quotashare.agent.attempt;

import static io.quotashare.agent.attempt.AgentFixture.ATTEMPT;
import static io.quotashare.agent.attempt.AgentFixture.GPU0;
import static io.quotashare.agent.attempt.AgentFixture.NAME;
import static io.quotashare.agent.attempt.AgentFixture.runDir;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_EXITED;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_FREE;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_RUNNING;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_START_FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.agent.supervise.DeviceLock;
import io.quotashare.agent.supervise.ExitRecord;
import io.quotashare.agent.supervise.FakeSupervisor;
import io.quotashare.agent.supervise.Ladder;
import io.quotashare.agent.supervise.Observation;
import io.quotashare.agent.supervise.StopTimes;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The stop ladder and the release gate (node-agent 5.3 and 4.2, quota-semantics 6.1). */
class AttemptsStopTest {
  private final AgentFixture agent = new AgentFixture();

  private StopTimes times() {
    return agent.supervisor.stop(runDir()).orElseThrow();
  }

  private long now() {
    return agent.clock.bootMillis();
  }

  /** Grace is 60 s, so SIGTERM comes 30 s before SIGKILL. */
  @Test
  void shouldAskToSaveAndLeaveTimeForIt() {
    agent.startAndRun();
    agent.stop(4, 60, true);

    assertThat(times()).isEqualTo(new StopTimes(now() + 30_000, now() + 60_000));
    ControlRequest request = agent.folders.controls(NAME).get(0);
    assertThat(request.json())
        .isEqualTo(
            "{\"seq\":4,\"op\":\"checkpoint_and_stop\",\"reason\":\"reclaim\","
                + "\"deadline_unix\":1893456060.000}\n");
    assertThat(agent.status().hasStopRequestedAt()).isTrue();
  }

  @Test
  void shouldSendSigtermAtOnceWhereNothingIsToBeSaved() {
    agent.startAndRun();
    agent.stop(1, 60, false);
    assertThat(times()).isEqualTo(new StopTimes(now(), now() + 60_000));
    assertThat(agent.folders.controls(NAME)).isEmpty();
  }

  @Test
  void shouldTakeHalfOfAShortGraceForSigterm() {
    agent.start(command -> command.getGraceBuilder().setSeconds(10));
    agent.supervisor.running(runDir());
    agent.attempts.tick();
    agent.stop(1, 10, true);
    assertThat(times()).isEqualTo(new StopTimes(now() + 5_000, now() + 10_000));
  }

  @Test
  void shouldKillAtOnceWhenNoTimeIsLeft() {
    agent.startAndRun();
    agent.stop(1, 0, true);
    assertThat(times()).isEqualTo(new StopTimes(now(), now()));
  }

  @Test
  void shouldNotWaitForTheDeadlineOnceTheJobHasConfirmed() {
    agent.startAndRun();
    agent.stop(4, 60, true);
    long deadline = now() + 60_000;
    agent.tickAfter(1_000);
    agent.folders.setProgress(NAME, "{\"step\":9,\"ack_seq\":4,\"state\":\"stopped\"}");

    agent.tickAfter(100);

    assertThat(times()).isEqualTo(new StopTimes(now() + StopPlan.CONFIRMED_EXIT_MILLIS, deadline));
    assertThat(agent.status().getProgress().getAckSeq()).isEqualTo(4);
    // The confirmation is something that the scheduler waits for.
    agent.acknowledgeAll();
    agent.tickAfter(100);
    assertThat(agent.attempts.unacknowledged()).isEmpty();
  }

  @Test
  void shouldNotTakeAnOlderConfirmationForThisOne() {
    agent.startAndRun();
    agent.checkpoint(3);
    agent.folders.setProgress(NAME, "{\"ack_seq\":3}");
    agent.tickAfter(1_000);
    agent.stop(4, 60, true);
    StopTimes before = times();
    agent.tickAfter(1_000);
    assertThat(times()).isEqualTo(before);
  }

  @Test
  void shouldNeverPutOffAStop() {
    agent.startAndRun();
    agent.stop(1, 20, true);
    StopTimes first = times();
    agent.stop(2, 100, true);
    assertThat(times()).isEqualTo(first);
    agent.stop(3, 5, false);
    assertThat(times()).isEqualTo(new StopTimes(now(), now() + 5_000));
  }

  @Test
  void shouldDoNothingForARepeat() {
    agent.startAndRun();
    agent.stop(1, 20, true);
    StopTimes first = times();
    agent.clock.advance(5_000);
    agent.stop(1, 20, true);
    assertThat(times()).isEqualTo(first);
    assertThat(agent.folders.controls(NAME)).hasSize(1);
  }

  @Test
  void shouldStopWhatIsNotOnRecordToo() {
    agent.startAndRun();
    agent.journal.setFull(true);
    agent.stop(1, 20, false);
    assertThat(times().termBootMillis()).isEqualTo(now());
  }

  @Test
  void shouldReportTheSignalsThatWereSent() {
    agent.startAndRun();
    agent.stop(1, 20, false);
    agent.supervisor.termSent(runDir());
    agent.tickAfter(100);
    assertThat(agent.status().hasTermSentAt()).isTrue();
    assertThat(agent.status().hasKillSentAt()).isFalse();
  }

  @Test
  void shouldKillASupervisorThatDoesNotKeepTheDeadline() {
    agent.startAndRun();
    agent.stop(1, 20, false);
    agent.tickAfter(20_000 + AttemptWatcher.OVERDUE_MILLIS - 1);
    assertThat(agent.supervisor.isDestroyed(runDir())).isFalse();
    agent.tickAfter(1);
    assertThat(agent.supervisor.isDestroyed(runDir())).isTrue();

    agent.supervisor.lost(runDir(), false);
    agent.tickAfter(100);
    assertThat(agent.status().getDetail())
        .isEqualTo("LOST_EXIT: its supervisor did not kill it at the deadline");
  }

  @Test
  void shouldReportTheLastWordsOfTheJobWithItsEnd() {
    agent.startAndRun();
    agent.stop(2, 60, true);
    agent.folders.setProgress(
        NAME, "{\"step\":50,\"ckpt_step\":50,\"ack_seq\":2,\"state\":\"stopped\"}");
    agent.supervisor.ended(runDir(), OptionalInt.of(0), OptionalInt.empty(), ExitRecord.Cause.OWN);

    agent.tickAfter(10);

    assertThat(agent.status().getProgress().getAckSeq()).isEqualTo(2);
    assertThat(agent.status().getProgress().getCheckpointStep()).isEqualTo(50);
    assertThat(agent.status().getExitCode()).isZero();
  }

  @Test
  void shouldSayThatTheLeaseWasOver() {
    agent.startAndRun();
    agent.supervisor.ended(
        runDir(), OptionalInt.empty(), OptionalInt.of(9), ExitRecord.Cause.LEASE);
    agent.tickAfter(10);
    assertThat(agent.status().getExitSignal()).isEqualTo(9);
    assertThat(agent.status().getDetail())
        .contains("the scheduler was silent for longer than its lost-after");
  }

  @Test
  void shouldStayRunningUntilEveryProcessIsGone() {
    agent.startAndRun();
    ExitRecord exit =
        new ExitRecord(
            OptionalInt.of(0),
            OptionalInt.empty(),
            ExitRecord.Cause.OWN,
            Ladder.NONE,
            agent.clock.wallTime());
    agent.supervisor.set(runDir(), new Observation.Exited(FakeSupervisor.started(), exit));
    agent.tickAfter(60_000);
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_RUNNING);
  }

  @Test
  void shouldSayThatAnUnknownAttemptDoesNotRunAndNeverStartIt() {
    agent.stop(1, 10, false);
    assertThat(agent.status().getPhase()).isEqualTo(ATTEMPT_PHASE_START_FAILED);
    assertThat(agent.status().getDetail())
        .isEqualTo("it is not known on node n1: nothing of it runs here");
    agent.start(command -> {});
    assertThat(agent.supervisor.launched(runDir())).isEmpty();
  }

  @Test
  void shouldKillWhatIsOverForTheScheduler() {
    agent.startAndRun();
    agent.attempts.endWithoutReport(List.of(ATTEMPT));
    assertThat(times()).isEqualTo(new StopTimes(now(), now()));
    agent.supervisor.ended(runDir(), OptionalInt.empty(), OptionalInt.of(9), ExitRecord.Cause.STOP);
    agent.tickAfter(100);
    agent.tickAfter(100);
    assertThat(agent.attempts.unfinished()).isEmpty();
    assertThat(agent.attempts.unacknowledged()).isEmpty();
  }

  @Test
  void shouldAskToSaveAndGoOn() {
    agent.startAndRun();
    agent.checkpoint(1);
    agent.checkpoint(1);
    assertThat(agent.folders.controls(NAME)).hasSize(1);
    assertThat(agent.folders.controls(NAME).get(0).json())
        .isEqualTo("{\"seq\":1,\"op\":\"checkpoint\",\"reason\":\"admin\"}\n");
    assertThat(agent.supervisor.stop(runDir())).isEmpty();
  }

  // ---- Release gate -------------------------------------------------------------------------

  @Test
  void shouldBeFreeOnlyWhenLockAndDriverSaySo() {
    agent.startAndRun();
    agent.supervisor.setLock(GPU0, new DeviceLock(false, "shim"));
    agent.gate.setBusy(GPU0, "still used by process [5]");
    agent.supervisor.ended(runDir(), 0);

    agent.tickAfter(10);
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_EXITED);
    agent.supervisor.setLock(GPU0, DeviceLock.FREE);
    agent.tickAfter(500);
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_EXITED);
    agent.gate.setEmpty(GPU0);
    agent.tickAfter(500);
    agent.attempts.tick();

    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_FREE);
    assertThat(agent.status().getQuarantinedUuidsList()).isEmpty();
    assertThat(agent.attempts.quarantined()).isEmpty();
  }

  @Test
  void shouldQuarantineADeviceThatDoesNotGetFree() {
    agent.startAndRun();
    agent.gate.setBusy(GPU0, "still used by process [5]");
    agent.supervisor.ended(runDir(), 0);
    agent.tickAfter(10);
    agent.tickAfter(AgentFixture.RELEASE_TIMEOUT_MILLIS - 1);
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_EXITED);

    agent.tickAfter(500);
    agent.attempts.tick();

    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_FREE);
    assertThat(agent.status().getQuarantinedUuidsList()).containsExactly(GPU0);
    assertThat(agent.status().getDetail()).contains("still used by process [5]");
    assertThat(agent.attempts.quarantined()).containsKey(GPU0);
  }

  @Test
  void shouldStartNothingOnAQuarantinedDeviceUntilItIsEmptyAgain() {
    shouldQuarantineADeviceThatDoesNotGetFree();
    agent.start(command -> command.setAttempt("queues/q/jobs/next/attempts/1"));
    assertThat(agent.attempts.unfinished())
        .anyMatch(s -> s.getDetail().contains("quarantined: still used by process [5]"));

    agent.gate.setEmpty(GPU0);
    agent.tickAfter(Quarantine.PROBE_INTERVAL_MILLIS);
    assertThat(agent.attempts.quarantined()).isEmpty();
    agent.start(command -> command.setAttempt("queues/q/jobs/next/attempts/2"));
    assertThat(agent.attempts.isLive(AttemptName.parse("queues/q/jobs/next/attempts/2"))).isTrue();
  }

  @Test
  void shouldWaitForAnAnswerOfTheDriver() {
    agent.startAndRun();
    agent.gate.hold();
    agent.supervisor.ended(runDir(), 0);
    agent.tickAfter(10);
    agent.tickAfter(100);
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_EXITED);
    agent.gate.answer();
    agent.attempts.tick();
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_FREE);
  }

  // ---- Progress -----------------------------------------------------------------------------

  @Test
  void shouldReportProgressAndKeepTheLastGoodOneWhenAFileIsRefused() {
    agent.startAndRun();
    agent.folders.setProgress(NAME, "{\"step\":5}");
    agent.tickAfter(1_000);
    Instant first = agent.clock.wallTime();
    assertThat(agent.status().getProgress().getStep()).isEqualTo(5);
    assertThat(agent.status().getProgress().getProductiveSince().getSeconds())
        .isEqualTo(first.getEpochSecond());

    agent.folders.setProgress(NAME, "{\"step\":-1}");
    agent.tickAfter(1_000);
    assertThat(agent.status().getProgress().getStep()).isEqualTo(5);
    assertThat(agent.status().getDetail())
        .isEqualTo("its progress file is refused: step: -1 (expected: a whole number >= 0)");

    agent.folders.setProgress(NAME, "{\"step\":6}");
    agent.tickAfter(1_000);
    assertThat(agent.status().getProgress().getStep()).isEqualTo(6);
    assertThat(agent.status().getDetail()).isEmpty();
  }

  @Test
  void shouldNotBotherTheSchedulerWithEveryStep() {
    agent.startAndRun();
    agent.folders.setProgress(NAME, "{\"step\":5}");
    agent.tickAfter(1_000);
    agent.acknowledgeAll();
    long version = agent.status().getVersion();

    agent.folders.setProgress(NAME, "{\"step\":6}");
    agent.tickAfter(1_000);

    assertThat(agent.attempts.unacknowledged()).isEmpty();
    assertThat(agent.attempts.running().get(0).getProgress().getStep()).isEqualTo(6);
    assertThat(agent.status().getVersion()).isGreaterThan(version);
  }

  @Test
  void shouldGoOnWhenAnAttemptCannotBeLookedAt() {
    agent.startAndRun();
    agent.supervisor.setUnreadable(runDir(), true);
    agent.tickAfter(100);
    assertThat(agent.phase()).isEqualTo(ATTEMPT_PHASE_RUNNING);
    agent.supervisor.setUnreadable(runDir(), false);
    agent.supervisor.ended(runDir(), 3);
    agent.tickAfter(100);
    assertThat(agent.status().getExitCode()).isEqualTo(3);
  }
}
