package io.quotashare.agent.session;

import static io.quotashare.agent.attempt.AgentFixture.ATTEMPT;
import static io.quotashare.agent.attempt.AgentFixture.GPU0;
import static io.quotashare.agent.attempt.AgentFixture.runDir;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.agent.attempt.AgentFixture;
import io.quotashare.agent.inventory.NvmlState;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.Command;
import io.quotashare.proto.agent.v1.FetchLogs;
import io.quotashare.proto.agent.v1.RegisterRequest;
import io.quotashare.proto.agent.v1.ReportInventoryResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Registration, fencing, heartbeats and reports, in virtual time. */
class AgentSessionTest {
  private final AgentFixture agent = new AgentFixture();
  private final FakeLink link = new FakeLink();
  private final MemoryFence fence = new MemoryFence();
  private final List<FetchLogs> fetched = new ArrayList<>();
  private final AgentSession session =
      new AgentSession(
          link,
          agent.attempts,
          agent.inventory,
          new OutputPusher() {
            @Override
            public void push(FetchLogs request) {
              fetched.add(request);
            }

            @Override
            public void close() {}
          },
          fence,
          agent.clock,
          new NodeIdentity("n1", "1.0", "boot", Map.of("pool", "p"), "10.1.1.1"),
          30_000,
          new Random(1));

  private void open() {
    session.tick();
    link.accept(FakeLink.response(3, "a").build());
  }

  private void tickAfter(long millis) {
    agent.clock.advance(millis);
    agent.attempts.tick();
    session.tick();
  }

  private void command(long seq, Consumer<Command.Builder> operation) {
    Command.Builder command = FakeLink.command(seq);
    operation.accept(command);
    link.send(3, "a", message -> message.setCommand(command));
  }

  private static void start(Command.Builder command) {
    command.getStartBuilder().setAttempt(ATTEMPT).addDeviceUuids(GPU0).setNodes(1).addCommand("x");
  }

  /** The answer to every heartbeat that has not been answered yet comes now. */
  private void answerHeartbeat() {
    List<io.quotashare.proto.agent.v1.Heartbeat> beats = link.stream().heartbeats();
    long sent = beats.get(beats.size() - 1).getSentMonotonicMs();
    link.send(3, "a", message -> message.setHeartbeatAck(FakeLink.ack(sent)));
  }

  // ---- Registration -------------------------------------------------------------------------

  @Test
  void shouldSayEverythingThatItKnowsOfItself() {
    agent.startAndRun();
    session.tick();
    RegisterRequest request = link.registrations.get(0);
    assertThat(request.getProtocolVersion()).isEqualTo(1);
    assertThat(request.getNode()).isEqualTo("n1");
    assertThat(request.getAgentVersion()).isEqualTo("1.0");
    assertThat(request.getBootId()).isEqualTo("boot");
    assertThat(request.getLabelsMap()).containsExactly(Map.entry("pool", "p"));
    assertThat(request.getAdvertiseAddress()).isEqualTo("10.1.1.1");
    assertThat(request.getInventory().getDevicesCount()).isEqualTo(2);
    assertThat(request.getInventory().getDevices(0).getUnit()).isEqualTo("H100");
    assertThat(request.getInventory().getDevices(0).getHealthy()).isTrue();
    assertThat(request.getAttemptsList())
        .singleElement()
        .satisfies(s -> assertThat(s.getPhase()).isEqualTo(AttemptPhase.ATTEMPT_PHASE_RUNNING));
  }

  @Test
  void shouldTryAgainWithGrowingTimesAndGoOnForEver() {
    List<Long> waits = new ArrayList<>();
    session.tick();
    for (int i = 0; i < 12; i++) {
      link.refuse("UNAVAILABLE");
      int before = link.registrations.size();
      long since = agent.clock.bootMillis();
      while (link.registrations.size() == before) {
        tickAfter(10);
      }
      waits.add(agent.clock.bootMillis() - since);
    }
    assertThat(waits.get(0)).isBetween(250L, 510L);
    assertThat(waits.get(3)).isBetween(2_000L, 4_010L);
    assertThat(waits.subList(7, 12)).allSatisfy(w -> assertThat(w).isBetween(15_000L, 30_010L));
    assertThat(waits.subList(7, 12)).doesNotHaveDuplicates();
  }

  @Test
  void shouldNotRegisterTwiceAtOneTime() {
    session.tick();
    tickAfter(60_000);
    assertThat(link.registrations).hasSize(1);
  }

  @Test
  void shouldNotObeyASchedulerOfThePast() {
    fence.highest = 5;
    session.tick();
    link.accept(FakeLink.response(4, "a").build());
    assertThat(session.isOpen()).isFalse();
    assertThat(link.streams).isEmpty();
  }

  @Test
  void shouldRememberTheHighestEpoch() {
    open();
    assertThat(session.isOpen()).isTrue();
    assertThat(fence.highest).isEqualTo(3);
  }

  @Test
  void shouldNotObeyAnEpochThatItCannotRemember() {
    fence.full = true;
    session.tick();
    link.accept(FakeLink.response(3, "a").build());
    assertThat(session.isOpen()).isFalse();
  }

  @Test
  void shouldNotObeyAnotherProtocolOrNonsense() {
    session.tick();
    link.accept(FakeLink.response(3, "a").setProtocolVersion(2).build());
    assertThat(session.isOpen()).isFalse();
    tickAfter(1_000);
    link.accept(FakeLink.response(3, "a").clearHeartbeatInterval().build());
    assertThat(session.isOpen()).isFalse();
    tickAfter(2_000);
    link.accept(FakeLink.response(3, "").build());
    assertThat(session.isOpen()).isFalse();
    assertThat(fence.highest).isZero();
  }

  @Test
  void shouldGrantTheLeaseFromWhenTheRegistrationWasSent() {
    agent.start(command -> command.getLostAfterBuilder().setSeconds(100));
    agent.supervisor.running(runDir());
    agent.attempts.tick();
    session.tick();
    long sent = agent.clock.bootMillis();
    agent.clock.advance(3_000);
    link.accept(FakeLink.response(3, "a").build());
    assertThat(agent.supervisor.lease(runDir()).orElseThrow()).hasValue(sent + 100_000);
  }

  @Test
  void shouldKillWhatTheSchedulerKnowsToBeOver() {
    agent.startAndRun();
    session.tick();
    link.accept(FakeLink.response(3, "a").addEndedAttempts(ATTEMPT).build());
    assertThat(agent.supervisor.stop(runDir()).orElseThrow().killBootMillis())
        .isEqualTo(agent.clock.bootMillis());
    assertThat(link.stream().reports()).isEmpty();
  }

  // ---- Heartbeats ---------------------------------------------------------------------------

  @Test
  void shouldBeatAsOftenAsTheSchedulerSays() {
    open();
    assertThat(link.stream().heartbeats()).hasSize(1);
    tickAfter(999);
    assertThat(link.stream().heartbeats()).hasSize(1);
    tickAfter(1);
    assertThat(link.stream().heartbeats()).hasSize(2);
    assertThat(link.stream().heartbeats().get(1).getSentMonotonicMs())
        .isEqualTo(agent.clock.bootMillis());
    assertThat(link.stream().sent)
        .allSatisfy(
            m -> {
              assertThat(m.getEpoch()).isEqualTo(3);
              assertThat(m.getSession()).isEqualTo("a");
            });
    assertThat(link.stream().sent.stream().map(m -> m.getSeq())).containsExactly(1L, 2L);
  }

  @Test
  void shouldRenewLeasesFromWhenTheAnsweredHeartbeatWasSent() {
    agent.start(command -> command.getLostAfterBuilder().setSeconds(100));
    agent.supervisor.running(runDir());
    agent.attempts.tick();
    open();
    tickAfter(1_000);
    long sent = agent.clock.bootMillis();
    agent.clock.advance(700);
    answerHeartbeat();
    assertThat(agent.supervisor.lease(runDir()).orElseThrow()).hasValue(sent + 100_000);
  }

  @Test
  void shouldRenewNothingForAHeartbeatThatWasNeverSent() {
    agent.start(command -> command.getLostAfterBuilder().setSeconds(100));
    agent.supervisor.running(runDir());
    agent.attempts.tick();
    open();
    long sent = agent.clock.bootMillis();
    link.send(3, "a", m -> m.setHeartbeatAck(FakeLink.ack(sent + 50_000)));
    assertThat(agent.supervisor.lease(runDir()).orElseThrow()).hasValue(sent + 100_000);
  }

  @Test
  void shouldRegisterAgainWhenTheSchedulerFallsSilent() {
    open();
    tickAfter(9_999);
    assertThat(session.isOpen()).isTrue();
    tickAfter(1);
    assertThat(session.isOpen()).isFalse();
    assertThat(link.stream().closed).isTrue();
    tickAfter(1_000);
    assertThat(link.registrations).hasSize(2);
  }

  @Test
  void shouldQueueNothingForASchedulerThatDoesNotRead() {
    open();
    link.stream().ready = false;
    int before = link.stream().sent.size();
    agent.startAndRun();
    for (int i = 0; i < 9; i++) {
      tickAfter(1_000);
    }
    assertThat(link.stream().sent).hasSize(before);
    tickAfter(1_000);
    assertThat(session.isOpen()).isFalse();
  }

  @Test
  void shouldGoOnWithTheJobsWhileThereIsNoScheduler() {
    agent.startAndRun();
    open();
    link.stream().listener.ended(new LinkFailure("UNAVAILABLE", "gone"));
    assertThat(session.isOpen()).isFalse();
    for (int i = 0; i < 600; i++) {
      tickAfter(1_000);
      if (link.registerAnswers.size() == link.registrations.size()) {
        link.refuse("UNAVAILABLE");
      }
    }
    assertThat(agent.phase()).isEqualTo(AttemptPhase.ATTEMPT_PHASE_RUNNING);
    assertThat(agent.supervisor.stop(runDir())).isEmpty();
  }

  // ---- Reports ------------------------------------------------------------------------------

  @Test
  void shouldRepeatAReportUntilItIsAcknowledged() {
    agent.startAndRun();
    open();
    assertThat(link.stream().reports()).hasSize(1);
    tickAfter(OpenSession.REPEAT_MILLIS - 1);
    assertThat(link.stream().reports()).hasSize(1);
    tickAfter(1);
    assertThat(link.stream().reports()).hasSize(2);
    assertThat(link.stream().reports().get(1)).isEqualTo(link.stream().reports().get(0));

    AttemptStatus status = link.stream().reports().get(0);
    link.send(3, "a", m -> m.setReportAck(FakeLink.ack(status)));
    answerHeartbeat();
    tickAfter(OpenSession.REPEAT_MILLIS);
    assertThat(link.stream().reports()).hasSize(2);
  }

  @Test
  void shouldReportAChangeAtOnce() {
    agent.startAndRun();
    open();
    agent.supervisor.ended(runDir(), 0);
    tickAfter(100);
    assertThat(link.stream().reports()).last().satisfies(s -> assertThat(s.getExitCode()).isZero());
  }

  @Test
  void shouldRepeatInTheNextSessionWhatTheLastDidNotAcknowledge() {
    agent.startAndRun();
    open();
    link.stream().listener.ended(new LinkFailure("UNAVAILABLE", "gone"));
    agent.supervisor.ended(runDir(), 0);
    tickAfter(100);
    tickAfter(1_000);
    link.accept(FakeLink.response(4, "b").build());
    assertThat(link.registrations.get(1).getAttemptsList())
        .singleElement()
        .satisfies(s -> assertThat(s.getPhase()).isEqualTo(AttemptPhase.ATTEMPT_PHASE_FREE));
    assertThat(link.stream().reports())
        .singleElement()
        .satisfies(s -> assertThat(s.getPhase()).isEqualTo(AttemptPhase.ATTEMPT_PHASE_FREE));
    AttemptStatus end = link.stream().reports().get(0);
    link.send(4, "b", m -> m.setReportAck(FakeLink.ack(end)));
    assertThat(agent.attempts.unfinished()).isEmpty();
  }

  // ---- Inventory ----------------------------------------------------------------------------

  @Test
  void shouldReportTheInventoryOnlyWhenItChangesOrIsWanted() {
    open();
    tickAfter(1_000);
    answerHeartbeat();
    assertThat(link.inventories).isEmpty();

    agent.inventory.setState(NvmlState.DRIVER_MISMATCH, "reboot");
    tickAfter(100);
    tickAfter(100);
    assertThat(link.inventories).hasSize(1);
    assertThat(link.inventories.get(0).getInventory().getNvmlState()).isEqualTo("DRIVER_MISMATCH");
    assertThat(link.inventories.get(0).getEpoch()).isEqualTo(3);
    assertThat(link.inventories.get(0).getSession()).isEqualTo("a");
    link.inventoryAnswers.get(0).ok(ReportInventoryResponse.getDefaultInstance());
    tickAfter(1_000);
    assertThat(link.inventories).hasSize(1);
    assertThat(link.stream().heartbeats())
        .last()
        .satisfies(
            b ->
                assertThat(b.getInventoryHash())
                    .isEqualTo(link.inventories.get(0).getInventory().getHash()));

    long sent = agent.clock.bootMillis();
    link.send(
        3, "a", m -> m.setHeartbeatAck(FakeLink.ack(sent).toBuilder().setInventoryWanted(true)));
    assertThat(link.inventories).hasSize(2);
  }

  @Test
  void shouldShowAQuarantinedDeviceAsUnhealthy() {
    agent.startAndRun();
    open();
    agent.gate.setBusy(GPU0, "still used by process [5]");
    agent.supervisor.ended(runDir(), 0);
    tickAfter(10);
    answerHeartbeat();
    tickAfter(1_000);
    for (int i = 0; i < 40; i++) {
      tickAfter(1_000);
      answerHeartbeat();
    }
    assertThat(link.inventories.get(0).getInventory().getDevicesList())
        .anySatisfy(
            device -> {
              assertThat(device.getUuid()).isEqualTo(GPU0);
              assertThat(device.getHealthy()).isFalse();
              assertThat(device.getHealthDetail())
                  .isEqualTo("QUARANTINED: still used by process [5]");
            });
  }

  @Test
  void shouldEndASessionWhoseInventoryIsNotTaken() {
    open();
    agent.inventory.setState(NvmlState.NVML_STUCK, "x");
    tickAfter(100);
    link.inventoryAnswers.get(0).failed(new LinkFailure("ABORTED", "old session"));
    tickAfter(100);
    assertThat(session.isOpen()).isFalse();
  }

  // ---- Commands -----------------------------------------------------------------------------

  @Test
  void shouldObeyCommandsOfItsRegistration() {
    open();
    command(1, AgentSessionTest::start);
    assertThat(agent.supervisor.launched(runDir())).isPresent();
    agent.supervisor.running(runDir());
    tickAfter(10);
    command(2, c -> c.getCheckpointBuilder().setAttempt(ATTEMPT).setRequestSeq(1));
    assertThat(agent.folders.controls(AgentFixture.NAME)).hasSize(1);
    command(3, c -> c.getStopBuilder().setAttempt(ATTEMPT).setRequestSeq(2));
    assertThat(agent.supervisor.stop(runDir())).isPresent();
    command(4, c -> c.getFetchLogsBuilder().setRequestId("r"));
    assertThat(fetched).hasSize(1);
  }

  /** V11: no command with another epoch or of another session. */
  @Test
  void shouldObeyNoOther() {
    open();
    Command start = FakeLink.command(1).setStart(startCommand()).build();
    link.send(2, "a", m -> m.setCommand(start));
    link.send(4, "a", m -> m.setCommand(start));
    link.send(3, "b", m -> m.setCommand(start));
    link.send(3, "", m -> m.setCommand(start));
    assertThat(agent.supervisor.launched(runDir())).isEmpty();
  }

  private static io.quotashare.proto.agent.v1.StartAttempt startCommand() {
    Command.Builder command = FakeLink.command(1);
    start(command);
    return command.getStart();
  }

  @Test
  void shouldObeyNothingOfASessionThatWasReplaced() {
    open();
    FakeLink.Stream old = link.stream();
    old.listener.ended(new LinkFailure("UNAVAILABLE", "gone"));
    tickAfter(1_000);
    link.accept(FakeLink.response(3, "b").build());
    old.listener.message(
        io.quotashare.proto.agent.v1.SessionResponse.newBuilder()
            .setEpoch(3)
            .setSession("a")
            .setCommand(FakeLink.command(1).setStart(startCommand()))
            .build());
    old.listener.ended(new LinkFailure("OK", ""));
    assertThat(agent.supervisor.launched(runDir())).isEmpty();
    assertThat(session.isOpen()).isTrue();
  }

  @Test
  void shouldObeyACommandOnce() {
    open();
    command(5, c -> c.getFetchLogsBuilder().setRequestId("r"));
    command(5, c -> c.getFetchLogsBuilder().setRequestId("r"));
    command(4, c -> c.getFetchLogsBuilder().setRequestId("older"));
    assertThat(fetched).hasSize(1);
    command(6, c -> c.getFetchLogsBuilder().setRequestId("r2"));
    assertThat(fetched).hasSize(2);
  }

  @Test
  void shouldTakeNoAnswerOfARegistrationThatWasGivenUp() {
    session.tick();
    session.close();
    link.accept(FakeLink.response(3, "a").build());
    assertThat(session.isOpen()).isFalse();
    tickAfter(100_000);
    assertThat(link.registrations).hasSize(1);
  }

  @Test
  void shouldOverlookWhatItDoesNotKnow() {
    open();
    link.send(3, "a", m -> {});
    command(1, c -> {});
    assertThat(session.isOpen()).isTrue();
  }
}
