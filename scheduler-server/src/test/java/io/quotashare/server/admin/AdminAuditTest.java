package io.quotashare.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import io.quotashare.proto.admin.v1.AdminServiceGrpc.AdminServiceFutureStub;
import io.quotashare.proto.admin.v1.CordonNodeRequest;
import io.quotashare.proto.admin.v1.DrainNodeRequest;
import io.quotashare.proto.admin.v1.FenceNodeRequest;
import io.quotashare.proto.admin.v1.PauseSchedulingRequest;
import io.quotashare.proto.admin.v1.ResumeSchedulingRequest;
import io.quotashare.proto.admin.v1.UncordonNodeRequest;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.store.AuditEvent;
import io.quotashare.server.store.AuditQuery;
import io.quotashare.server.store.AuditRecord;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every change that an operator makes is carried out and audited once, over restarts too. */
class AdminAuditTest {
  private static final String ID = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";

  /** A call with a request id; any other text stands for another request of the same kind. */
  private interface Call extends BiFunction<AdminServiceFutureStub, String, ListenableFuture<?>> {}

  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.create();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    new FakeAgent(server, "n1", 3).join();
    // Silent for long enough to be fenced.
    server.advance(15_000);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static Arguments call(String action, String resource, Call call) {
    return Arguments.of(action, resource, Named.of(action, call));
  }

  static Stream<Arguments> mutations() {
    return Stream.of(
        call(
            "CORDON_NODE",
            "nodes/n1",
            (admin, id) ->
                admin.cordonNode(
                    CordonNodeRequest.newBuilder().setName("nodes/n1").setRequestId(id).build())),
        call(
            "UNCORDON_NODE",
            "nodes/n1",
            (admin, id) ->
                admin.uncordonNode(
                    UncordonNodeRequest.newBuilder().setName("nodes/n1").setRequestId(id).build())),
        call(
            "DRAIN_NODE",
            "nodes/n1",
            (admin, id) ->
                admin.drainNode(
                    DrainNodeRequest.newBuilder().setName("nodes/n1").setRequestId(id).build())),
        call(
            "FENCE_NODE",
            "nodes/n1",
            (admin, id) ->
                admin.fenceNode(
                    FenceNodeRequest.newBuilder().setName("nodes/n1").setRequestId(id).build())),
        call(
            "PAUSE_SCHEDULING",
            "scheduler",
            (admin, id) ->
                admin.pauseScheduling(
                    PauseSchedulingRequest.newBuilder().setReason("r").setRequestId(id).build())),
        call(
            "RESUME_SCHEDULING",
            "scheduler",
            (admin, id) ->
                admin.resumeScheduling(
                    ResumeSchedulingRequest.newBuilder().setRequestId(id).build())));
  }

  private List<AuditEvent> audited(String action) {
    return server.store().audit(AuditQuery.newest(100)).items().stream()
        .map(AuditRecord::event)
        .filter(event -> event.action().equals(action))
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutations")
  void aRepeatIsNotCarriedOutAgain(String action, String resource, Call call) {
    server.answer(call.apply(server.admin(), ID));
    server.answer(call.apply(server.admin(), ID));
    server = server.restart();
    server.answer(call.apply(server.admin(), ID));

    assertThat(audited(action))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.requestId()).isEqualTo(ID);
              assertThat(event.resource()).isEqualTo(resource);
              assertThat(event.principal()).isNotEmpty();
              assertThat(event.after()).isNotEmpty();
            });
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutations")
  void anIdOfAnotherRequestIsRefused(String action, String resource, Call call) {
    server.answer(
        server
            .admin()
            .pauseScheduling(
                PauseSchedulingRequest.newBuilder().setReason("other").setRequestId(ID).build()));
    int before = audited(action).size();

    var error = server.error(call.apply(server.admin(), ID));

    assertThat(ErrorInfos.reason(error)).as(resource).isEqualTo("REQUEST_ID_REUSED");
    assertThat(audited(action)).hasSize(before);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutations")
  void anIdThatIsNoUuidIsRefused(String action, String resource, Call call) {
    var error = server.error(call.apply(server.admin(), "not-a-uuid"));

    assertThat(error.getStatus().getDescription()).as(resource).contains("request_id: not-a-uuid");
    assertThat(audited(action)).isEmpty();
  }
}
