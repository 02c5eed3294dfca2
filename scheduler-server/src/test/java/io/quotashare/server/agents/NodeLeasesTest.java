package io.quotashare.server.agents;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.admin.v1.FenceNodeRequest;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.GetNodeRequest;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobSpec;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.NodeState;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.store.MemoryStateStore.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Silence: 10 s to suspect, 300 s + 5 % + 30 s + 10 s = 355 s to lost (reliability A3). */
class NodeLeasesTest {
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
  void shortSilenceIsNotVisible() {
    runA(Policies.spec("lender", 2));

    server.advance(9_500);
    agent.heartbeat();
    server.advance(9_500);

    assertThat(node()).isEqualTo(NodeState.NODE_STATE_READY);
    assertThat(a().getState()).isEqualTo(JobState.JOB_STATE_RUNNING);
  }

  @Test
  void silentNodeIsSuspectAndItsJobUnknownUntilItIsHeard() {
    runA(Policies.spec("lender", 2));

    server.advance(11_000);
    assertThat(node()).isEqualTo(NodeState.NODE_STATE_SUSPECT);
    assertThat(a().getState()).isEqualTo(JobState.JOB_STATE_UNKNOWN);

    server.advance(200_000);
    agent.heartbeat();
    server.settle();

    assertThat(node()).isEqualTo(NodeState.NODE_STATE_READY);
    assertThat(a().getState()).isEqualTo(JobState.JOB_STATE_RUNNING);
    assertThat(a().getAttemptCount()).isEqualTo(1);
  }

  @Test
  void attemptIsStartedElsewhereOnlyAfterTheFencingTime() {
    FakeAgent other = new FakeAgent(server, "n2", 2);
    runA(Policies.spec("lender", 2));
    other.join();

    for (int i = 0; i < 354; i++) {
      server.advance(1_000);
      other.heartbeat();
    }
    assertThat(other.starts()).isEmpty();
    assertThat(a().getState()).isEqualTo(JobState.JOB_STATE_UNKNOWN);

    server.advance(1_500);

    assertThat(node()).isEqualTo(NodeState.NODE_STATE_LOST);
    assertThat(other.starts())
        .singleElement()
        .satisfies(
            start -> {
              assertThat(start.getAttempt()).isEqualTo("queues/research/jobs/a/attempts/2");
              assertThat(start.getResume()).isTrue();
            });
    assertThat(a().getPreemptionCount()).isZero();
  }

  @Test
  void lostNodeMustRegisterAgain() {
    runA(Policies.spec("lender", 2));
    server.advance(356_000);

    agent.heartbeat();

    assertThat(ErrorInfos.reason((StatusRuntimeException) agent.ended())).isEqualTo("LEASE_OVER");
    assertThat(
            agent
                .register(agent.status(A1, AttemptPhase.ATTEMPT_PHASE_RUNNING).build())
                .getEndedAttemptsList())
        .containsExactly(A1);
  }

  @Test
  void jobMayHaveAShorterLeaseThanItsNode() {
    runA(Policies.spec("lender", 2).setLostAfter(Duration.newBuilder().setSeconds(20)));
    assertThat(agent.starts().get(0).getLostAfter().getSeconds()).isEqualTo(20);

    server.advance(60_500);
    assertThat(a().getState()).isEqualTo(JobState.JOB_STATE_UNKNOWN);
    server.advance(1_000);

    assertThat(a().getState()).isEqualTo(JobState.JOB_STATE_RUNNABLE);
    assertThat(node()).isEqualTo(NodeState.NODE_STATE_SUSPECT);
  }

  @Test
  void jobThatIsNeverLostHoldsItsDevicesOnANodeThatIsLost() {
    runA(Policies.spec("lender", 2).setLostNever(true));
    server.advance(300_000);
    assertThat(node()).isEqualTo(NodeState.NODE_STATE_SUSPECT);

    server.advance(60_000);
    assertThat(node()).isEqualTo(NodeState.NODE_STATE_LOST);
    assertThat(a().getState()).isEqualTo(JobState.JOB_STATE_UNKNOWN);
    // Of its three devices two are held; the third does not exist for scheduling any more.
    var pool = server.readModel().current().queues().get("research").pools().get(0);
    assertThat(pool.held()).isEqualTo(2);
    assertThat(pool.free()).isZero();
    assertThat(pool.unhealthy()).isEqualTo(1);

    // A restart changes nothing.
    server = server.restart();
    server.advance(400_000);
    assertThat(node()).isEqualTo(NodeState.NODE_STATE_LOST);
    assertThat(a().getState()).isEqualTo(JobState.JOB_STATE_UNKNOWN);

    // Its agent is heard again and knows it: it goes on.
    agent = new FakeAgent(server, "n1", 3);
    agent.register(agent.status(A1, AttemptPhase.ATTEMPT_PHASE_RUNNING).build());
    server.settle();
    assertThat(node()).isEqualTo(NodeState.NODE_STATE_READY);
    assertThat(a().getState()).isEqualTo(JobState.JOB_STATE_RUNNING);
    assertThat(a().getAttemptCount()).isEqualTo(1);
  }

  @Test
  void jobThatIsNeverLostKeepsItsNodeUntilAnOperatorFencesIt() {
    runA(Policies.spec("lender", 2).setLostNever(true));
    assertThat(agent.starts().get(0).hasLostAfter()).isFalse();

    server.advance(1_000_000);
    assertThat(a().getState()).isEqualTo(JobState.JOB_STATE_UNKNOWN);
    assertThat(node()).isEqualTo(NodeState.NODE_STATE_LOST);

    server.answer(
        server.admin().fenceNode(FenceNodeRequest.newBuilder().setName("nodes/n1").build()));

    assertThat(a().getState()).isEqualTo(JobState.JOB_STATE_RUNNABLE);
    assertThat(node()).isEqualTo(NodeState.NODE_STATE_LOST);
    agent.heartbeat();
    assertThat(ErrorInfos.reason((StatusRuntimeException) agent.ended())).isEqualTo("LEASE_OVER");
  }

  @Test
  void nodeThatIsHeardCannotBeFenced() {
    StatusRuntimeException error =
        server.error(
            server.admin().fenceNode(FenceNodeRequest.newBuilder().setName("nodes/n1").build()));

    assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(ErrorInfos.reason(error)).isEqualTo("NODE_IS_HEARD");
  }

  @Test
  void rebootEndsAttemptsAtOnce() {
    runA(Policies.spec("lender", 2));
    agent.reboot();

    agent.join();

    assertThat(agent.starts()).hasSize(2);
    assertThat(agent.starts().get(1).getAttempt()).isEqualTo("queues/research/jobs/a/attempts/2");
    assertThat(a().getPreemptionCount()).isZero();
  }

  @Test
  void nextLeaderGrantsTheFullTimeAndAsksForRegistration() {
    runA(Policies.spec("lender", 2));
    server.advance(300_000);

    server = server.restart();
    server.advance(350_000);
    assertThat(a().getState()).isEqualTo(JobState.JOB_STATE_UNKNOWN);
    server.advance(10_000);

    assertThat(node()).isEqualTo(NodeState.NODE_STATE_LOST);
    assertThat(a().getState()).isEqualTo(JobState.JOB_STATE_RUNNABLE);
  }

  @Test
  void silenceThatIsNotDurableIsFoundAgain() {
    runA(Policies.spec("lender", 2));
    server.clock().advance(10_000);
    server.store().failNextCommit(Fault.FULL);
    server.settle();
    assertThat(node()).isEqualTo(NodeState.NODE_STATE_READY);

    server.advance(2_000);

    assertThat(node()).isEqualTo(NodeState.NODE_STATE_SUSPECT);
  }

  private void runA(JobSpec.Builder spec) {
    server.answer(
        server
            .jobs()
            .submitJob(
                SubmitJobRequest.newBuilder()
                    .setParent("queues/research")
                    .setJobId("a")
                    .setSpec(spec)
                    .build()));
    agent.run(A1);
  }

  private Job a() {
    return server
        .answer(
            server
                .jobs()
                .getJob(GetJobRequest.newBuilder().setName("queues/research/jobs/a").build()))
        .getJob();
  }

  private NodeState node() {
    return server
        .answer(server.queues().getNode(GetNodeRequest.newBuilder().setName("nodes/n1").build()))
        .getNode()
        .getState();
  }
}
