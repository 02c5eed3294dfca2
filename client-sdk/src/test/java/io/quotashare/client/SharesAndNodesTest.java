package io.quotashare.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.admin.v1.CordonNodeRequest;
import io.quotashare.proto.admin.v1.DrainNodeRequest;
import io.quotashare.proto.admin.v1.FenceNodeRequest;
import io.quotashare.proto.admin.v1.UncordonNodeRequest;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.ApplyPolicyResponse;
import io.quotashare.proto.v1.DeviceSeconds;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.proto.v1.QuotaShareStatus;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SharesAndNodesTest {
  private final FakeScheduler scheduler = new FakeScheduler();
  private final QuotaShareClient client = scheduler.client();

  @BeforeEach
  void fill() {
    scheduler.queues.put(
        GetQueueSnapshotResponse.newBuilder()
            .setQueue(io.quotashare.proto.v1.Queue.newBuilder().setName("queues/q"))
            .addShares(
                QuotaShareStatus.newBuilder()
                    .setShare(
                        io.quotashare.proto.v1.QuotaShare.newBuilder()
                            .setName("queues/q/shares/a")
                            .putCapacity("H100", 2)))
            .build());
    scheduler.queues.nodes.add(
        io.quotashare.proto.v1.Node.newBuilder().setName("nodes/n1").build());
    scheduler.queues.loans.add(
        io.quotashare.proto.v1.Loan.newBuilder()
            .setLender("b")
            .setBorrower("a")
            .setGpus(2)
            .build());
    scheduler.queues.preemptions.add(
        io.quotashare.proto.v1.Preemption.newBuilder().setJob("queues/q/jobs/j").build());
    scheduler.queues.report =
        GetUsageReportResponse.newBuilder()
            .setClasses(DeviceSeconds.newBuilder().setUseful(10).setIdle(5))
            .setTotalDeviceSeconds(15)
            .build();
  }

  @AfterEach
  void close() {
    scheduler.close();
  }

  @Test
  void readsShares() {
    assertThat(client.shares().list("q"))
        .singleElement()
        .extracting(s -> s.share().id())
        .isEqualTo("a");
    assertThat(client.shares().get("q", "a").share().capacity()).containsEntry("H100", 2);
    assertThat(client.shares().loans("q")).extracting(Loan::gpus).containsExactly(2);
    assertThatThrownBy(() -> client.shares().get("q", "none"))
        .isInstanceOf(NotFoundException.class);
  }

  @Test
  void readsQueues() {
    assertThat(client.queues().list()).extracting(Queue::id).containsExactly("q");
    assertThat(client.queues().get("q").maxGrace()).isEqualTo(Queue.DEFAULT_MAX_GRACE);
    assertThat(client.queues().snapshot("q").shares()).hasSize(1);
    assertThat(client.queues().preemptions("q")).extracting(Preemption::jobId).containsExactly("j");
    UsageReport report = client.queues().usageReport("q");
    assertThat(report.classes().sum()).isEqualTo(report.totalDeviceSeconds());
  }

  @Test
  void readsNodes() {
    assertThat(client.nodes().list()).extracting(Node::id).containsExactly("n1");
    assertThat(client.nodes().get("n1").name()).isEqualTo("nodes/n1");
  }

  @Test
  void steersNodes() {
    client.admin().cordon("n1");
    client.admin().uncordon("n1");
    client.admin().drain("n1");
    client.admin().fence("n1");

    assertThat(scheduler.requests(CordonNodeRequest.class).get(0).getName()).isEqualTo("nodes/n1");
    assertThat(scheduler.requests(UncordonNodeRequest.class)).hasSize(1);
    assertThat(scheduler.requests(DrainNodeRequest.class)).hasSize(1);
    assertThat(scheduler.requests(FenceNodeRequest.class)).hasSize(1);
    assertThat(client.admin().status().epoch()).isEqualTo(3);
  }

  @Test
  void aChangeIsRetriedWithTheSameRequestId() {
    scheduler.failNext(
        CordonNodeRequest.class, Status.UNAVAILABLE.withDescription("gone").asRuntimeException());

    client.admin().cordon("n1");

    List<CordonNodeRequest> sent = scheduler.requests(CordonNodeRequest.class);
    assertThat(sent).hasSize(2);
    assertThat(UUID.fromString(sent.get(0).getRequestId())).isNotNull();
    assertThat(sent.get(1).getRequestId()).isEqualTo(sent.get(0).getRequestId());
  }

  @Test
  void appliesAPolicy() {
    scheduler.queues.policyResult =
        ApplyPolicyResponse.newBuilder().addCreated("queues/q").addWarnings("too much").build();
    QuotaShare share =
        QuotaShare.of("q", "a", Map.of("H100", 0), SharingStrategy.LEND_AND_BORROW, true);

    PolicyResult result =
        client.shares().applyPolicy(List.of(new PolicyQueue(Queue.of("q"), List.of(share))));

    ApplyPolicyRequest sent = scheduler.requests(ApplyPolicyRequest.class).get(0);
    assertThat(result.created()).containsExactly("queues/q");
    assertThat(result.warnings()).containsExactly("too much");
    assertThat(sent.getRequestId()).isNotEmpty();
    assertThat(sent.getQueues(0).getShares(0).hasInSharePreemption()).isTrue();
    assertThat(sent.getQueues(0).getShares(0).hasBorrowLimitPercent()).isFalse();
    assertThat(sent.getQueues(0).getShares(0).getCapacityMap()).containsEntry("H100", 0);
  }

  @Test
  void aShareThatContradictsItselfIsNotSent() {
    QuotaShare lender = QuotaShare.of("q", "a", Map.of("H100", 1), SharingStrategy.LEND, true);
    QuotaShare wrong =
        new QuotaShare(
            "q",
            "a",
            lender.capacity(),
            lender.strategy(),
            0,
            Map.of(),
            null,
            Map.of(),
            true,
            lender.ordering(),
            1,
            lender.minRuntime(),
            lender.state(),
            "");

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                client
                    .shares()
                    .applyPolicy(List.of(new PolicyQueue(Queue.of("q"), List.of(wrong)))))
        .withMessageContaining("queues/q/shares/a: borrowLimitPercent: a borrow limit is given");
    assertThat(scheduler.requests(ApplyPolicyRequest.class)).isEmpty();
  }
}
