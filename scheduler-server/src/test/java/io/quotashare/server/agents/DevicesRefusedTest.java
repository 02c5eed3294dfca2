package io.quotashare.server.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.ReportInventoryRequest;
import io.quotashare.proto.agent.v1.SessionResponse;
import io.quotashare.proto.v1.Attempt;
import io.quotashare.proto.v1.DeviceState;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.GetNodeRequest;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.ListAttemptsRequest;
import io.quotashare.proto.v1.NodeDevice;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A start that fails for its devices is no fault of the job (reliability A4). */
class DevicesRefusedTest {
  private static final String A = "queues/research/jobs/a";

  private TestServer server;
  private FakeAgent first;
  private FakeAgent second;

  @BeforeEach
  void start() {
    server = TestServer.create();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    first = new FakeAgent(server, "n1", 1).join();
    second = new FakeAgent(server, "n2", 1).join();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Job job() {
    return server
        .answer(server.jobs().getJob(GetJobRequest.newBuilder().setName(A).build()))
        .getJob();
  }

  private List<Attempt> attempts() {
    return server
        .answer(server.jobs().listAttempts(ListAttemptsRequest.newBuilder().setParent(A).build()))
        .getAttemptsList();
  }

  private NodeDevice device(FakeAgent agent) {
    return server
        .answer(
            server
                .queues()
                .getNode(GetNodeRequest.newBuilder().setName("nodes/" + agent.node()).build()))
        .getNode()
        .getDevices(0);
  }

  /** The agent on which the newest attempt was placed says that its device cannot be used. */
  private FakeAgent refuse() {
    Attempt attempt = job().getLatestAttempt();
    FakeAgent agent = attempt.getPlacement(0).getNode().equals(first.node()) ? first : second;
    agent.report(
        agent
            .status(attempt.getName(), AttemptPhase.ATTEMPT_PHASE_START_FAILED)
            .setNodeFault(true)
            .setDetail("node " + agent.node() + ": device is still used by process [42]")
            .addQuarantinedUuids(agent.inventory().getDevices(0).getUuid()));
    return agent;
  }

  @Test
  void jobStartsElsewhereWithoutUsingARetry() {
    server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 1).build()));

    FakeAgent refused = refuse();

    assertThat(job().getState()).isEqualTo(JobState.JOB_STATE_SCHEDULED);
    assertThat(job().getLatestAttempt().getPlacement(0).getNode()).isNotEqualTo(refused.node());
    assertThat(device(refused).getState()).isEqualTo(DeviceState.DEVICE_STATE_UNHEALTHY);
    assertThat(device(refused).getHealthDetail()).contains("still used by process [42]");
    Attempt over = attempts().get(0);
    assertThat(over.getState()).isEqualTo(JobState.JOB_STATE_RUNNABLE);
    assertThat(over.getEndReason())
        .contains("could not start", "still used by process [42]", "no retry is used");
  }

  @Test
  void jobWaitsWhereNoDeviceIsLeftAndStartsWhenOneIsBack() {
    server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 1).build()));
    FakeAgent refused = refuse();
    refuse();
    assertThat(job().getState()).isEqualTo(JobState.JOB_STATE_RUNNABLE);
    assertThat(attempts()).hasSize(2);

    // The hash is that of before: the device was empty again before the inventory was sent.
    refused.received().clear();
    refused.heartbeat();
    assertThat(refused.received())
        .filteredOn(SessionResponse::hasHeartbeatAck)
        .allMatch(ack -> ack.getHeartbeatAck().getInventoryWanted())
        .isNotEmpty();
    server.answer(
        server
            .agents()
            .reportInventory(
                ReportInventoryRequest.newBuilder()
                    .setEpoch(refused.registration().getEpoch())
                    .setSession(refused.registration().getSession())
                    .setInventory(refused.inventory())
                    .build()));

    assertThat(job().getState()).isEqualTo(JobState.JOB_STATE_SCHEDULED);
    assertThat(job().getLatestAttempt().getPlacement(0).getNode()).isEqualTo(refused.node());
    refused.received().clear();
    refused.heartbeat();
    assertThat(refused.received())
        .filteredOn(SessionResponse::hasHeartbeatAck)
        .noneMatch(ack -> ack.getHeartbeatAck().getInventoryWanted());
  }

  @Test
  void gangOfWhichOneNodeRefusesQueuesAgain() {
    submitGang();
    String attempt = A + "/attempts/1";
    second.report(
        second.status(attempt, AttemptPhase.ATTEMPT_PHASE_STARTING).setRank(rank(second)));
    second.report(second.status(attempt, AttemptPhase.ATTEMPT_PHASE_RUNNING).setRank(rank(second)));
    first.report(
        first
            .status(attempt, AttemptPhase.ATTEMPT_PHASE_START_FAILED)
            .setNodeFault(true)
            .setRank(rank(first))
            .addQuarantinedUuids(first.inventory().getDevices(0).getUuid()));
    end(second, attempt, 143);

    assertThat(job().getState()).isEqualTo(JobState.JOB_STATE_RUNNABLE);
  }

  @Test
  void gangThatAlsoFailedByItselfHasFailed() {
    submitGang();
    String attempt = A + "/attempts/1";
    second.report(
        second.status(attempt, AttemptPhase.ATTEMPT_PHASE_STARTING).setRank(rank(second)));
    second.report(
        second
            .status(attempt, AttemptPhase.ATTEMPT_PHASE_EXITED)
            .setRank(rank(second))
            .setExitCode(7));
    second.report(
        second
            .status(attempt, AttemptPhase.ATTEMPT_PHASE_FREE)
            .setRank(rank(second))
            .setExitCode(7));
    first.report(
        first
            .status(attempt, AttemptPhase.ATTEMPT_PHASE_START_FAILED)
            .setNodeFault(true)
            .setRank(rank(first))
            .addQuarantinedUuids(first.inventory().getDevices(0).getUuid()));

    assertThat(job().getState()).isEqualTo(JobState.JOB_STATE_FAILED);
  }

  private void submitGang() {
    var submit = Policies.submit("a", "lender", 1);
    submit.getSpecBuilder().clearGpus().setNodes(2).setGpusPerNode(1);
    server.answer(server.jobs().submitJob(submit.build()));
  }

  private int rank(FakeAgent agent) {
    return job().getLatestAttempt().getPlacement(0).getNode().equals(agent.node()) ? 0 : 1;
  }

  private void end(FakeAgent agent, String attempt, int exitCode) {
    for (AttemptPhase phase :
        List.of(AttemptPhase.ATTEMPT_PHASE_EXITED, AttemptPhase.ATTEMPT_PHASE_FREE)) {
      agent.report(
          agent
              .status(attempt, phase)
              .setRank(rank(agent))
              .setExitCode(exitCode)
              .setStopRequestedAt(agent.now()));
    }
  }
}
