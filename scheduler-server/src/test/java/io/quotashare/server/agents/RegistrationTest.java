package io.quotashare.server.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.RegisterRequest;
import io.quotashare.proto.agent.v1.RegisterResponse;
import io.quotashare.proto.v1.GetNodeRequest;
import io.quotashare.proto.v1.Node;
import io.quotashare.proto.v1.NodeState;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RegistrationTest {
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.create();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void agentIsToldEpochSessionAndTimes() {
    RegisterResponse response = new FakeAgent(server, "n1", 2).register();

    assertThat(response.getProtocolVersion()).isEqualTo(1);
    assertThat(response.getEpoch()).isEqualTo(1);
    assertThat(response.getSession()).isNotEmpty();
    assertThat(response.getHeartbeatInterval().getSeconds()).isEqualTo(1);
    assertThat(response.getLostAfter().getSeconds()).isEqualTo(300);
    Node node = node("n1");
    assertThat(node.getState()).isEqualTo(NodeState.NODE_STATE_READY);
    assertThat(node.getQueue()).isEqualTo("research");
    assertThat(node.getDevicesCount()).isEqualTo(2);
    assertThat(node.getNvmlState()).isEqualTo("OK");
    assertThat(node.hasLastHeartbeat()).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badRegistrations")
  void badRegistrationNamesTheField(String field, Consumer<RegisterRequest.Builder> change) {
    RegisterRequest.Builder request = new FakeAgent(server, "n1", 2).request().toBuilder();
    change.accept(request);

    StatusRuntimeException error = server.error(server.agents().register(request.build()));

    assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(ErrorInfos.fields(error)).contains(field);
    assertThat(error.getMessage()).contains("expected");
    assertThat(server.readModel().current().nodes().size()).isZero();
  }

  static Stream<Arguments> badRegistrations() {
    return Stream.of(
        bad("node", r -> r.setNode("")),
        bad("node", r -> r.setNode("Node_1")),
        bad("node", r -> r.setNode("../etc")),
        bad("boot_id", r -> r.setBootId("")),
        bad("advertise_address", r -> r.setAdvertiseAddress("")),
        bad("labels[a].value", r -> r.putLabels("a", "two\nlines")),
        bad(
            "inventory.devices[1].uuid",
            r -> r.getInventoryBuilder().getDevicesBuilder(1).setUuid("GPU-n1-0")),
        bad(
            "inventory.devices[0].uuid",
            r -> r.getInventoryBuilder().getDevicesBuilder(0).setUuid("")),
        bad(
            "inventory.devices[0].unit",
            r -> r.getInventoryBuilder().getDevicesBuilder(0).setUnit("")),
        bad("attempts[0].attempt", r -> r.addAttempts(status("jobs/1"))),
        bad(
            "attempts[0].phase",
            r ->
                r.addAttempts(
                    status("queues/q/jobs/a/attempts/1")
                        .setPhase(AttemptPhase.ATTEMPT_PHASE_UNSPECIFIED))),
        bad(
            "attempts[0].version",
            r -> r.addAttempts(status("queues/q/jobs/a/attempts/1").setVersion(0))));
  }

  private static Arguments bad(String field, Consumer<RegisterRequest.Builder> change) {
    return Arguments.of(field, change);
  }

  private static AttemptStatus.Builder status(String attempt) {
    return AttemptStatus.newBuilder()
        .setAttempt(attempt)
        .setVersion(1)
        .setPhase(AttemptPhase.ATTEMPT_PHASE_RUNNING);
  }

  @Test
  void otherProtocolIsRefusedWithTheSupportedOne() {
    RegisterRequest request =
        new FakeAgent(server, "n1", 2).request().toBuilder().setProtocolVersion(9).build();

    StatusRuntimeException error = server.error(server.agents().register(request));

    assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(ErrorInfos.reason(error)).isEqualTo("PROTOCOL_VERSION_UNSUPPORTED");
    assertThat(ErrorInfos.info(error).getMetadataMap()).containsEntry("supported", "1");
  }

  @Test
  void deviceOfAnotherNodeIsRefused() {
    new FakeAgent(server, "n1", 2).join();
    RegisterRequest.Builder request = new FakeAgent(server, "n2", 1).request().toBuilder();
    request.getInventoryBuilder().getDevicesBuilder(0).setUuid("GPU-n1-1");

    StatusRuntimeException error = server.error(server.agents().register(request.build()));

    assertThat(ErrorInfos.reason(error)).isEqualTo("DEVICE_ELSEWHERE");
    assertThat(error.getMessage()).contains("GPU-n1-1").contains("node n1");
    assertThat(server.readModel().current().nodes().size()).isEqualTo(1);
  }

  @Test
  void deviceOfALostNodeMayTurnUpElsewhere() {
    new FakeAgent(server, "n1", 2).join().disconnect();
    server.advance(360_000);
    assertThat(node("n1").getState()).isEqualTo(NodeState.NODE_STATE_LOST);
    RegisterRequest.Builder request = new FakeAgent(server, "n2", 1).request().toBuilder();
    request.getInventoryBuilder().getDevicesBuilder(0).setUuid("GPU-n1-1");

    assertThat(server.answer(server.agents().register(request.build())).getSession()).isNotEmpty();
  }

  @Test
  void attemptsThatAreOverAreNamedAndStrangersAreNot() {
    FakeAgent agent = new FakeAgent(server, "n1", 3).join();
    server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 1).build()));
    server.answer(server.jobs().submitJob(Policies.submit("b", "lender", 1).build()));
    String over = "queues/research/jobs/a/attempts/1";
    String runs = "queues/research/jobs/b/attempts/1";
    agent.run(over);
    agent.finish(over);
    agent.run(runs);
    agent.disconnect();

    RegisterResponse again =
        agent.register(
            agent.status(over, AttemptPhase.ATTEMPT_PHASE_RUNNING).build(),
            agent.status(runs, AttemptPhase.ATTEMPT_PHASE_RUNNING).build(),
            agent
                .status("queues/research/jobs/b/attempts/9", AttemptPhase.ATTEMPT_PHASE_RUNNING)
                .build(),
            agent
                .status("queues/other/jobs/x/attempts/1", AttemptPhase.ATTEMPT_PHASE_RUNNING)
                .build());

    assertThat(again.getEndedAttemptsList()).containsExactly(over);
  }

  private Node node(String name) {
    return server
        .answer(
            server.queues().getNode(GetNodeRequest.newBuilder().setName("nodes/" + name).build()))
        .getNode();
  }
}
