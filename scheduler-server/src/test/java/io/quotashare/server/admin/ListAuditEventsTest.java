package io.quotashare.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.proto.admin.v1.AuditEvent;
import io.quotashare.proto.admin.v1.CordonNodeRequest;
import io.quotashare.proto.admin.v1.ListAuditEventsRequest;
import io.quotashare.proto.admin.v1.ListAuditEventsResponse;
import io.quotashare.proto.admin.v1.UncordonNodeRequest;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.grpc.Times;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ListAuditEventsTest {
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.create();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    new FakeAgent(server, "n1", 3).join();
    new FakeAgent(server, "n2", 3).join();
    cordon("n1");
    server.advance(1_000);
    cordon("n2");
    server.answer(
        server.admin().uncordonNode(UncordonNodeRequest.newBuilder().setName("nodes/n1").build()));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void cordon(String node) {
    server.answer(
        server.admin().cordonNode(CordonNodeRequest.newBuilder().setName("nodes/" + node).build()));
  }

  private ListAuditEventsResponse list(ListAuditEventsRequest.Builder request) {
    return server.answer(server.admin().listAuditEvents(request.build()));
  }

  private List<String> all(ListAuditEventsRequest.Builder request) {
    List<String> actions = new ArrayList<>();
    String token = "";
    do {
      ListAuditEventsResponse page = list(request.setPageToken(token));
      page.getEventsList().forEach(e -> actions.add(e.getAction() + " " + e.getResource()));
      token = page.getNextPageToken();
    } while (!token.isEmpty());
    return actions;
  }

  @Test
  void theNewestComeFirstPageByPage() {
    assertThat(all(ListAuditEventsRequest.newBuilder().setPageSize(1)))
        .startsWith("UNCORDON_NODE nodes/n1", "CORDON_NODE nodes/n2", "CORDON_NODE nodes/n1")
        .hasSizeGreaterThan(3);
    AuditEvent newest = list(ListAuditEventsRequest.newBuilder().setPageSize(1)).getEvents(0);
    assertThat(newest.getPrincipal()).isNotEmpty();
    assertThat(newest.getBefore()).isEqualTo("CORDONED, ALIVE");
    assertThat(newest.getAfter()).isEqualTo("OPEN");
  }

  @Test
  void resourceAndTimeLimitWhatIsListed() {
    assertThat(all(ListAuditEventsRequest.newBuilder().setResource("nodes/n1")))
        .containsExactly("UNCORDON_NODE nodes/n1", "CORDON_NODE nodes/n1");
    assertThat(
            all(
                ListAuditEventsRequest.newBuilder()
                    .setResource("nodes/n1")
                    .setSince(Times.timestamp(server.clock().wallMillis()))))
        .containsExactly("UNCORDON_NODE nodes/n1");
    assertThat(all(ListAuditEventsRequest.newBuilder().setResource("nodes/n"))).isEmpty();
  }

  @Test
  void aTokenOfAnotherListIsRefused() {
    String token = list(ListAuditEventsRequest.newBuilder().setPageSize(1)).getNextPageToken();

    var error =
        server.error(
            server
                .admin()
                .listAuditEvents(
                    ListAuditEventsRequest.newBuilder()
                        .setResource("nodes/n1")
                        .setPageToken(token)
                        .build()));

    assertThat(error.getStatus().getDescription()).contains("page_token");
  }
}
