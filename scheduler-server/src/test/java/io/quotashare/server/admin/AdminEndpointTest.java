package io.quotashare.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.quotashare.proto.admin.v1.CordonNodeRequest;
import io.quotashare.proto.admin.v1.DrainNodeRequest;
import io.quotashare.proto.admin.v1.GetSchedulerStatusRequest;
import io.quotashare.proto.admin.v1.UncordonNodeRequest;
import io.quotashare.proto.agent.v1.StopReason;
import io.quotashare.proto.v1.GetNodeRequest;
import io.quotashare.proto.v1.NodeState;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.store.AuditQuery;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdminEndpointTest {
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
  void cordonedNodeTakesNothingUntilItIsUncordoned() {
    server.answer(
        server.admin().cordonNode(CordonNodeRequest.newBuilder().setName("nodes/n1").build()));
    server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 1).build()));
    assertThat(agent.starts()).isEmpty();
    assertThat(node()).isEqualTo(NodeState.NODE_STATE_CORDONED);

    server.answer(
        server.admin().uncordonNode(UncordonNodeRequest.newBuilder().setName("nodes/n1").build()));

    assertThat(agent.starts()).hasSize(1);
    assertThat(node()).isEqualTo(NodeState.NODE_STATE_READY);
    assertThat(server.store().audit(AuditQuery.newest(10)).items())
        .extracting(record -> record.event().action())
        .contains("CORDON_NODE", "UNCORDON_NODE");
  }

  @Test
  void drainedNodeLosesItsAttempts() {
    server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 1).build()));
    agent.run("queues/research/jobs/a/attempts/1");

    server.answer(
        server.admin().drainNode(DrainNodeRequest.newBuilder().setName("nodes/n1").build()));

    assertThat(agent.stops())
        .singleElement()
        .satisfies(s -> assertThat(s.getReason()).isEqualTo(StopReason.STOP_REASON_DRAIN));
    assertThat(node()).isEqualTo(NodeState.NODE_STATE_DRAINING);
  }

  @Test
  void unknownNodeIsNotFoundAndMalformedInvalid() {
    assertThat(code("nodes/x")).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(code("x")).isEqualTo(Status.Code.INVALID_ARGUMENT);
  }

  @Test
  void statusCounts() {
    server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 1).build()));
    server.advance(5_000);

    var status =
        server.answer(
            server.admin().getSchedulerStatus(GetSchedulerStatusRequest.getDefaultInstance()));

    assertThat(status.getEpoch()).isEqualTo(1);
    assertThat(status.getLeadingSeconds()).isEqualTo(5);
    assertThat(status.getLiveJobs()).isEqualTo(1);
    assertThat(status.getConnectedAgents()).isEqualTo(1);
    assertThat(status.getVersion()).isNotEmpty();
  }

  private Status.Code code(String name) {
    return server
        .error(server.admin().cordonNode(CordonNodeRequest.newBuilder().setName(name).build()))
        .getStatus()
        .getCode();
  }

  private NodeState node() {
    return server
        .answer(server.queues().getNode(GetNodeRequest.newBuilder().setName("nodes/n1").build()))
        .getNode()
        .getState();
  }
}
