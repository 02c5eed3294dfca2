package io.quotashare.server.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.DeviceInfo;
import io.quotashare.proto.agent.v1.Heartbeat;
import io.quotashare.proto.agent.v1.Inventory;
import io.quotashare.proto.agent.v1.ReportInventoryRequest;
import io.quotashare.proto.agent.v1.SessionRequest;
import io.quotashare.proto.agent.v1.StartAttempt;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.JobState;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.store.AuditQuery;
import io.quotashare.server.store.MemoryStateStore.Fault;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SessionTest {
  private static final String A1 = "queues/research/jobs/a/attempts/1";

  private TestServer server;
  private FakeAgent agent;

  @BeforeEach
  void start() {
    server = TestServer.create();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    agent = new FakeAgent(server, "n1", 3).join();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void heartbeatIsAnsweredAtOnceAndWithoutTheStore() {
    long revision = server.store().lastCommit().revision();
    agent.received().clear();

    agent.heartbeat();

    assertThat(agent.received())
        .singleElement()
        .satisfies(
            ack -> {
              assertThat(ack.getHeartbeatAck().getSentMonotonicMs()).isEqualTo(4711);
              assertThat(ack.getHeartbeatAck().getInventoryWanted()).isFalse();
              assertThat(ack.getEpoch()).isEqualTo(1);
              assertThat(ack.getSession()).isEqualTo(agent.registration().getSession());
            });
    server.settle();
    assertThat(server.store().lastCommit().revision()).isEqualTo(revision);
  }

  @Test
  void reportIsAcknowledgedWhenItIsDurable() {
    submitA();
    AttemptStatus status = agent.status(A1, AttemptPhase.ATTEMPT_PHASE_STARTING).build();

    agent.send(SessionRequest.newBuilder().setAttemptStatus(status));
    assertThat(agent.acks()).isEmpty();
    server.settle();

    assertThat(agent.acks()).containsExactly(Map.entry(A1, status.getVersion()));
    assertThat(stateOfA()).isEqualTo(JobState.JOB_STATE_STARTING);
  }

  @Test
  void reportThatIsNotDurableIsNotAcknowledged() {
    submitA();
    server.store().failNextCommit(Fault.FULL);
    AttemptStatus status = agent.report(A1, AttemptPhase.ATTEMPT_PHASE_STARTING);
    assertThat(agent.acks()).isEmpty();
    assertThat(stateOfA()).isEqualTo(JobState.JOB_STATE_SCHEDULED);

    server.advance(1_000);
    agent.report(status.toBuilder());

    assertThat(agent.acks()).containsExactly(Map.entry(A1, status.getVersion()));
    assertThat(stateOfA()).isEqualTo(JobState.JOB_STATE_STARTING);
  }

  @Test
  void repeatedReportChangesNothingAndIsAcknowledgedAgain() {
    submitA();
    agent.report(A1, AttemptPhase.ATTEMPT_PHASE_STARTING);
    AttemptStatus running = agent.report(A1, AttemptPhase.ATTEMPT_PHASE_RUNNING);
    long revision = server.readModel().current().revision();

    agent.report(running.toBuilder());

    assertThat(agent.acks()).hasSize(3);
    assertThat(server.readModel().current().revision()).isEqualTo(revision);
  }

  @Test
  void lateReportOfAnOlderStateIsIgnored() {
    submitA();
    AttemptStatus starting = agent.report(A1, AttemptPhase.ATTEMPT_PHASE_STARTING);
    agent.report(A1, AttemptPhase.ATTEMPT_PHASE_RUNNING);

    agent.report(starting.toBuilder());

    assertThat(stateOfA()).isEqualTo(JobState.JOB_STATE_RUNNING);
  }

  @Test
  void messageTwiceOnOneStreamCountsOnce() {
    submitA();
    SessionRequest message =
        SessionRequest.newBuilder()
            .setEpoch(1)
            .setSession(agent.registration().getSession())
            .setSeq(50)
            .setAttemptStatus(agent.status(A1, AttemptPhase.ATTEMPT_PHASE_STARTING))
            .build();

    agent.sendRaw(message);
    agent.sendRaw(message);
    server.settle();

    assertThat(agent.acks()).hasSize(1);
  }

  @Test
  void otherEpochEndsTheStream() {
    agent.sendRaw(
        SessionRequest.newBuilder()
            .setEpoch(7)
            .setSession(agent.registration().getSession())
            .setSeq(99)
            .setHeartbeat(Heartbeat.getDefaultInstance())
            .build());

    assertThat(endReason(agent)).isEqualTo("STALE_EPOCH");
  }

  @Test
  void otherSessionEndsTheStream() {
    agent.sendRaw(
        SessionRequest.newBuilder()
            .setEpoch(1)
            .setSession("made up")
            .setSeq(99)
            .setHeartbeat(Heartbeat.getDefaultInstance())
            .build());

    assertThat(endReason(agent)).isEqualTo("STALE_SESSION");
  }

  @Test
  void newestRegistrationWins() {
    FakeAgent second = new FakeAgent(server, "n1", 3).join();

    assertThat(endReason(agent)).isEqualTo("SESSION_REPLACED");
    submitA();
    assertThat(agent.starts()).isEmpty();
    assertThat(second.starts()).hasSize(1);
  }

  @Test
  void startIsSentAgainToAReconnectedAgentUntilItIsSeen() {
    submitA();
    assertThat(agent.starts()).hasSize(1);
    StartAttempt first = agent.starts().get(0);
    agent.disconnect();

    agent.join();
    assertThat(agent.starts()).hasSize(2);
    assertThat(agent.starts().get(1)).isEqualTo(first);

    beatFor(11_000);
    assertThat(agent.starts()).hasSizeGreaterThanOrEqualTo(4);

    agent.run(A1);
    int sent = agent.starts().size();
    beatFor(20_000);
    assertThat(agent.starts()).hasSize(sent);
  }

  @Test
  void timeLeftOfAStopShrinksFromSendingToSending() {
    submitA();
    agent.run(A1);
    server.answer(
        server
            .jobs()
            .cancelJob(
                io.quotashare.proto.v1.CancelJobRequest.newBuilder()
                    .setName("queues/research/jobs/a")
                    .build()));
    assertThat(agent.stops()).hasSize(1);

    beatFor(6_000);

    assertThat(agent.stops()).hasSizeGreaterThanOrEqualTo(2);
    assertThat(agent.stops().get(0).getTimeLeft().getSeconds()).isEqualTo(60);
    assertThat(agent.stops().get(1).getTimeLeft().getSeconds()).isBetween(54L, 55L);
    assertThat(agent.stops().get(1).getRequestSeq())
        .isEqualTo(agent.stops().get(0).getRequestSeq());
  }

  @Test
  void heartbeatCarriesProgressWithoutAcknowledgement() {
    submitA();
    agent.run(A1);
    int acks = agent.acks().size();

    agent.heartbeat(
        agent
            .status(A1, AttemptPhase.ATTEMPT_PHASE_RUNNING)
            .setProgress(io.quotashare.proto.agent.v1.Progress.newBuilder().setStep(42))
            .build());
    server.settle();

    assertThat(agent.acks()).hasSize(acks);
    assertThat(
            server
                .answer(server.jobs().getJob(GetJobRequest.newBuilder().setName(jobA()).build()))
                .getJob()
                .getLatestAttempt()
                .getStep())
        .isEqualTo(42);
  }

  @Test
  void attemptOfAnotherNodeIsNotBelieved() {
    submitA();
    FakeAgent other = new FakeAgent(server, "n2", 1).join();

    other.report(A1, AttemptPhase.ATTEMPT_PHASE_RUNNING);

    other.report(A1, AttemptPhase.ATTEMPT_PHASE_RUNNING);

    assertThat(other.acks()).isEmpty();
    assertThat(other.stops()).isEmpty();
    assertThat(stateOfA()).isEqualTo(JobState.JOB_STATE_SCHEDULED);
    assertThat(server.store().audit(AuditQuery.newest(10)).items())
        .filteredOn(record -> record.event().action().equals("UNKNOWN_ATTEMPT"))
        .as("told once")
        .singleElement()
        .satisfies(record -> assertThat(record.event().principal()).isEqualTo("agent n2"));
  }

  @Test
  void endedAttemptIsAcknowledgedSoThatTheAgentForgetsIt() {
    submitA();
    agent.run(A1);
    agent.finish(A1);
    int acks = agent.acks().size();

    agent.report(A1, AttemptPhase.ATTEMPT_PHASE_FREE);

    assertThat(agent.acks()).hasSize(acks + 1);
    assertThat(stateOfA()).isEqualTo(JobState.JOB_STATE_SUCCEEDED);
  }

  @Test
  void malformedReportEndsTheStream() {
    agent.send(
        SessionRequest.newBuilder()
            .setAttemptStatus(AttemptStatus.newBuilder().setAttempt("x").setVersion(1)));

    StatusRuntimeException error = (StatusRuntimeException) agent.ended();
    assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(ErrorInfos.fields(error)).contains("attempt_status.attempt", "attempt_status.phase");
  }

  @Test
  void inventoryIsWantedAndReplaced() {
    agent.received().clear();
    agent.send(
        SessionRequest.newBuilder()
            .setHeartbeat(Heartbeat.newBuilder().setInventoryHash("changed")));
    assertThat(agent.received())
        .singleElement()
        .extracting(r -> r.getHeartbeatAck().getInventoryWanted())
        .isEqualTo(true);

    Inventory changed =
        agent.inventory().toBuilder()
            .setHash("changed")
            .setDevices(
                0,
                DeviceInfo.newBuilder()
                    .setUuid("GPU-n1-0")
                    .setUnit("H100")
                    .setHealthDetail("fell off the bus"))
            .build();
    server.answer(
        server
            .agents()
            .reportInventory(
                ReportInventoryRequest.newBuilder()
                    .setEpoch(1)
                    .setSession(agent.registration().getSession())
                    .setInventory(changed)
                    .build()));

    agent.received().clear();
    agent.send(
        SessionRequest.newBuilder()
            .setHeartbeat(Heartbeat.newBuilder().setInventoryHash("changed")));
    assertThat(agent.received().get(0).getHeartbeatAck().getInventoryWanted()).isFalse();
    assertThat(
            server.readModel().current().nodes().get("n1").orElseThrow().devices().get(0).healthy())
        .isFalse();
  }

  @Test
  void inventoryOfAnotherSessionIsRefused() {
    StatusRuntimeException error =
        server.error(
            server
                .agents()
                .reportInventory(
                    ReportInventoryRequest.newBuilder()
                        .setEpoch(1)
                        .setSession("made up")
                        .setInventory(agent.inventory())
                        .build()));

    assertThat(ErrorInfos.reason(error)).isEqualTo("STALE_SESSION");
  }

  @Test
  void agentThatDoesNotReadLosesItsStreamAndNothingPilesUp() {
    server.close();
    server = TestServer.with(ConfigKeys.MAX_OUTBOUND, 20);
    FakeAgent deaf = new FakeAgent(server, "n1", 3).deaf().join();

    for (int i = 0; i < 30; i++) {
      deaf.heartbeat();
    }

    assertThat(server.instance(AgentSessions.class).isConnected("n1")).isFalse();
    assertThat(deaf.received()).isEmpty();

    server.advance(11_000);
    deaf.heartbeat();
    assertThat(server.instance(NodeLeases.class).isSilent("n1", server.clock().monotonicNanos()))
        .as("what comes on a closed stream is no sign of life")
        .isTrue();
  }

  private void beatFor(long millis) {
    for (long t = 0; t < millis; t += 1_000) {
      server.advance(1_000);
      agent.heartbeat();
    }
    server.settle();
  }

  private void submitA() {
    server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 2).build()));
  }

  private static String jobA() {
    return "queues/research/jobs/a";
  }

  private JobState stateOfA() {
    return server
        .answer(server.jobs().getJob(GetJobRequest.newBuilder().setName(jobA()).build()))
        .getJob()
        .getState();
  }

  private static String endReason(FakeAgent agent) {
    return ErrorInfos.reason((StatusRuntimeException) agent.ended());
  }
}
