package io.quotashare.server.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.grpc.Status;
import io.quotashare.proto.v1.DeviceSeconds;
import io.quotashare.proto.v1.DeviceState;
import io.quotashare.proto.v1.GetNodeRequest;
import io.quotashare.proto.v1.GetQueueRequest;
import io.quotashare.proto.v1.GetQueueSnapshotRequest;
import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.proto.v1.ListNodesRequest;
import io.quotashare.proto.v1.ListNodesResponse;
import io.quotashare.proto.v1.ListPreemptionsRequest;
import io.quotashare.proto.v1.ListQueuesRequest;
import io.quotashare.proto.v1.Node;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueueEndpointTest {
  private static final String QUEUE = "queues/research";

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
  void queueIsShownWithItsDefaults() {
    var queue =
        server
            .answer(server.queues().getQueue(GetQueueRequest.newBuilder().setName(QUEUE).build()))
            .getQueue();

    assertThat(queue.getMaxGrace().getSeconds()).isEqualTo(120);
    assertThat(queue.getLostWorkCap().getSeconds()).isEqualTo(4 * 3600);
    assertThat(queue.getRestartCost().getSeconds()).isEqualTo(180);
    assertThat(queue.getEtag()).isNotEmpty();
    assertThat(
            server
                .answer(server.queues().listQueues(ListQueuesRequest.getDefaultInstance()))
                .getQueuesList())
        .containsExactly(queue);
  }

  @Test
  void nodeShowsWhoHoldsItsDevices() {
    server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 2).build()));

    Node node =
        server
            .answer(
                server.queues().getNode(GetNodeRequest.newBuilder().setName("nodes/n1").build()))
            .getNode();

    assertThat(node.getDevicesList())
        .extracting(d -> d.getState() + " " + d.getJob() + " " + d.getShare())
        .containsExactly(
            DeviceState.DEVICE_STATE_HELD + " a lender",
            DeviceState.DEVICE_STATE_HELD + " a lender",
            DeviceState.DEVICE_STATE_FREE + "  ");
  }

  @Test
  void nodesComePageByPageAndByQueue() {
    new FakeAgent(server, "n2", 1).join();
    new FakeAgent(server, "n3", 1).join();
    ListNodesRequest.Builder request =
        ListNodesRequest.newBuilder().setQueue("research").setPageSize(2);

    ListNodesResponse first = server.answer(server.queues().listNodes(request.build()));
    ListNodesResponse second =
        server.answer(
            server.queues().listNodes(request.setPageToken(first.getNextPageToken()).build()));

    assertThat(first.getNodesList()).extracting(Node::getName).containsExactly("n1", "n2");
    assertThat(second.getNodesList()).extracting(Node::getName).containsExactly("n3");
    assertThat(
            server
                .answer(
                    server
                        .queues()
                        .listNodes(ListNodesRequest.newBuilder().setQueue("other").build()))
                .getNodesCount())
        .isZero();
  }

  @Test
  void usageReportAddsUp() {
    server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 2).build()));
    String attempt = "queues/research/jobs/a/attempts/1";
    agent.run(attempt);
    server.advance(7_000);
    agent.finish(attempt);
    server.advance(3_000);

    GetUsageReportResponse report =
        server.answer(
            server
                .queues()
                .getUsageReport(GetUsageReportRequest.newBuilder().setName(QUEUE).build()));

    DeviceSeconds c = report.getClasses();
    double held = c.getUseful() + c.getStartup() + c.getLost() + c.getSaving() + c.getDraining();
    double notHeld =
        c.getHeldForBeneficiary()
            + c.getReservedIdle()
            + c.getIdle()
            + c.getUnhealthy()
            + c.getOutside();
    assertThat(report.getTotalDeviceSeconds()).isCloseTo(30.0, within(0.001));
    assertThat(held + notHeld).isCloseTo(30.0, within(0.001));
    assertThat(held).isCloseTo(14.0, within(0.001));
    assertThat(report.getEnd().getSeconds() - report.getStart().getSeconds()).isEqualTo(10);
    assertThat(report.getFutilePreemptions()).isZero();
  }

  @Test
  void snapshotNamesTheFrontJob() {
    server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 2).build()));
    server.answer(server.jobs().submitJob(Policies.submit("b", "lender", 1).build()));

    var snapshot =
        server.answer(
            server
                .queues()
                .getQueueSnapshot(GetQueueSnapshotRequest.newBuilder().setName(QUEUE).build()));

    assertThat(snapshot.getFrontsList())
        .singleElement()
        .satisfies(
            front -> {
              assertThat(front.getShare()).isEqualTo("lender");
              assertThat(front.getJob().getName()).isEqualTo(QUEUE + "/jobs/b");
            });
    assertThat(snapshot.getSharesCount()).isEqualTo(2);
  }

  @Test
  void whatDoesNotExistIsNotFound() {
    assertThat(
            server
                .error(
                    server.queues().getNode(GetNodeRequest.newBuilder().setName("nodes/x").build()))
                .getStatus()
                .getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
    assertThat(
            server
                .error(
                    server
                        .queues()
                        .listPreemptions(
                            ListPreemptionsRequest.newBuilder().setParent("queues/x").build()))
                .getStatus()
                .getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void foreignTokenOfPreemptionsIsRefused() {
    assertThat(
            ErrorInfos.fields(
                server.error(
                    server
                        .queues()
                        .listPreemptions(
                            ListPreemptionsRequest.newBuilder()
                                .setParent(QUEUE)
                                .setPageToken("nonsense")
                                .build()))))
        .containsExactly("page_token");
  }
}
