package io.quotashare.client.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.client.AdminState;
import io.quotashare.client.AuditEvent;
import io.quotashare.client.AuditFilter;
import io.quotashare.client.ConflictException;
import io.quotashare.client.Loan;
import io.quotashare.client.Node;
import io.quotashare.client.PolicyOptions;
import io.quotashare.client.PolicyPlan;
import io.quotashare.client.PolicyQueue;
import io.quotashare.client.PolicyResult;
import io.quotashare.client.Preemption;
import io.quotashare.client.PreemptionFilter;
import io.quotashare.client.Queue;
import io.quotashare.client.QueueSnapshot;
import io.quotashare.client.QuotaShare;
import io.quotashare.client.QuotaShareClient;
import io.quotashare.client.SchedulerStatus;
import io.quotashare.client.ShareDeletion;
import io.quotashare.client.ShareEvent;
import io.quotashare.client.ShareStatus;
import io.quotashare.client.ShareUpdate;
import io.quotashare.client.ShareWatch;
import io.quotashare.client.ShareWatchOptions;
import io.quotashare.client.SharingStrategy;
import io.quotashare.client.StateVerification;
import io.quotashare.client.UsageInterval;
import io.quotashare.client.UsageQuery;
import io.quotashare.client.UsageReport;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.admin.v1.CordonNodeRequest;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.ApplyPolicyResponse;
import io.quotashare.proto.v1.DeviceSeconds;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.proto.v1.LoanVictim;
import io.quotashare.proto.v1.PlanPolicyResponse;
import io.quotashare.proto.v1.PlannedVictim;
import io.quotashare.proto.v1.PoolUsage;
import io.quotashare.proto.v1.QuotaShareStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The examples of docs/sdk.md about shares, queues, nodes and the scheduler itself. What stands
 * between {@code snippet:} and {@code end} stands in the page, too.
 */
class SdkShareExamplesTest {
  private final FakeScheduler scheduler = new FakeScheduler();
  private final QuotaShareClient client = scheduler.client();
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

  @BeforeEach
  void fill() {
    scheduler.queues.put(
        GetQueueSnapshotResponse.newBuilder()
            .setQueue(io.quotashare.proto.v1.Queue.newBuilder().setName("queues/research"))
            .addPools(PoolUsage.newBuilder().setUnit("H100").setTotal(24).setHeld(24))
            .addShares(
                QuotaShareStatus.newBuilder()
                    .setShare(
                        io.quotashare.proto.v1.QuotaShare.newBuilder()
                            .setName("queues/research/shares/vision")
                            .putCapacity("H100", 8)
                            .setEtag("1")))
            .build());
    scheduler.queues.nodes.add(
        io.quotashare.proto.v1.Node.newBuilder().setName("nodes/gpu-1").build());
  }

  @AfterEach
  void close() {
    scheduler.close();
  }

  private String printed() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void shares() {
    // snippet: shares
    ShareStatus vision = client.shares().get("research", "vision");
    for (ShareStatus status : client.shares().list("research")) {
      out.println(status.share().id() + " owns " + status.share().capacity());
    }
    // end
    assertThat(vision.share().capacity()).containsEntry("H100", 8);
    assertThat(printed()).isEqualToIgnoringNewLines("vision owns {H100=8}");
  }

  @Test
  void createUpdateDelete() {
    // snippet: share-create
    QuotaShare share =
        QuotaShare.of("research", "evals", Map.of("H100", 4), SharingStrategy.LEND, true);
    client.shares().checkCreate(share);
    ShareStatus made = client.shares().create(share);
    // end
    assertThat(made.share().etag()).isNotEmpty();

    // snippet: share-update
    QuotaShare asRead = client.shares().get("research", "evals").share();
    ShareUpdate update =
        ShareUpdate.of("research", "evals")
            .capacity(Map.of("H100", 2))
            .lendLimitPercent(50)
            .ifUnchanged(asRead.etag())
            .build()
            .drainingNow();
    client.shares().checkUpdate(update);
    try {
      client.shares().update(update);
    } catch (ConflictException e) {
      out.println("somebody else changed it: " + e.getMessage());
    }
    // end
    QuotaShare updated = client.shares().get("research", "evals").share();
    assertThat(updated.capacity()).containsEntry("H100", 2);
    assertThat(updated.lendLimitPercent()).isEqualTo(50);
    assertThat(updated.strategy()).as("not named, not changed").isEqualTo(SharingStrategy.LEND);
    assertThat(printed()).isEmpty();

    // snippet: share-delete
    client.shares().update(ShareUpdate.of("research", "evals").state(AdminState.DISABLED).build());
    ShareDeletion would = client.shares().checkDelete("research", "evals");
    out.println(would.cancelledJobs() + " jobs wait, " + would.stoppingJobs() + " run");
    client.shares().delete("research", "evals");
    // end
    assertThat(printed()).isEqualToIgnoringNewLines("0 jobs wait, 0 run");
    assertThat(client.shares().list("research")).hasSize(1);
  }

  @Test
  void watch() {
    // snippet: share-watch
    ShareWatchOptions options = ShareWatchOptions.ofQueue("research").restarting();
    try (ShareWatch watch = client.shares().watch(options)) {
      for (ShareEvent event : watch) {
        if (event instanceof ShareEvent.Present present) {
          out.println(present.name() + " " + present.status().usage());
        } else {
          out.println(event.name() + " is gone");
          break;
        }
        // end
        scheduler.shares.remove("queues/research/shares/vision");
        // snippet: share-watch
      }
    }
    // end
    assertThat(printed())
        .isEqualToIgnoringNewLines(
            "queues/research/shares/vision []queues/research/shares/vision is gone");
  }

  @Test
  void loans() {
    scheduler.queues.loans.add(
        io.quotashare.proto.v1.Loan.newBuilder()
            .setLender("vision")
            .setBorrower("background")
            .setGpus(6)
            .addWouldStop(LoanVictim.newBuilder().setJob("j-91c").setLostDeviceSeconds(360))
            .build());
    // snippet: loans
    for (Loan loan : client.shares().loans("research")) {
      out.println(loan.lender() + " lends " + loan.gpus() + " to " + loan.borrower());
      loan.wouldStop().forEach(v -> out.println(v.job() + " would lose " + v.lostDeviceSeconds()));
    }
    // end
    assertThat(printed())
        .isEqualToIgnoringNewLines("vision lends 6 to backgroundj-91c would lose 360.0");
  }

  @Test
  void policy() {
    scheduler.queues.policyPlan =
        PlanPolicyResponse.newBuilder()
            .addWouldStop(PlannedVictim.newBuilder().setJob("queues/research/jobs/j-91c"))
            .build();
    scheduler.queues.policyResult =
        ApplyPolicyResponse.newBuilder().addRemoved("queues/old").build();
    // snippet: policy
    QuotaShare vision =
        QuotaShare.of("research", "vision", Map.of("H100", 8), SharingStrategy.LEND, true);
    List<PolicyQueue> policy = List.of(new PolicyQueue(Queue.of("research"), List.of(vision)));

    PolicyOptions options = PolicyOptions.defaults().pruning();
    PolicyResult wouldChange = client.shares().checkPolicy(policy, options);
    PolicyPlan plan = client.shares().planPolicy(policy, options);
    if (plan.wouldStop().isEmpty()) {
      client.shares().applyPolicy(policy);
    } else {
      client.shares().applyPolicy(policy, options.drainingNow());
    }
    // end
    assertThat(wouldChange.removed()).containsExactly("queues/old");
    List<ApplyPolicyRequest> sent = scheduler.requests(ApplyPolicyRequest.class);
    assertThat(sent).extracting(ApplyPolicyRequest::getValidateOnly).containsExactly(true, false);
    assertThat(sent).extracting(ApplyPolicyRequest::getPrune).containsOnly(true);
    assertThat(sent.get(1).getDrainNow()).isTrue();
  }

  @Test
  void queues() {
    // snippet: queues
    for (Queue queue : client.queues().list()) {
      out.println(queue.id() + " " + queue.preemptionMode());
    }
    QueueSnapshot now = client.queues().snapshot("research");
    now.pools().forEach(pool -> out.println(pool.held() + " of " + pool.total() + " held"));
    Duration maxGrace = client.queues().get("research").maxGrace();
    // end
    assertThat(printed()).isEqualToIgnoringNewLines("research ENFORCE24 of 24 held");
    assertThat(maxGrace).isEqualTo(Queue.DEFAULT_MAX_GRACE);
  }

  @Test
  void usage() {
    scheduler.queues.report =
        GetUsageReportResponse.newBuilder()
            .setClasses(DeviceSeconds.newBuilder().setUseful(3000).setLost(600))
            .setTotalDeviceSeconds(3600)
            .addIntervals(
                io.quotashare.proto.v1.UsageInterval.newBuilder().setTotalDeviceSeconds(3600))
            .build();
    Instant lastMonday = Instant.parse("2026-03-02T00:00:00Z");
    // snippet: usage
    UsageQuery week =
        UsageQuery.whole()
            .ofShare("vision")
            .from(lastMonday)
            .until(lastMonday.plus(Duration.ofDays(7)))
            .every(Duration.ofDays(1));
    UsageReport report = client.queues().usageReport("research", week);
    out.println(report.classes().lost() / 3600 + " GPU-hours of work lost");
    for (UsageInterval day : report.intervals()) {
      out.println(day.start() + " " + day.totalDeviceSeconds());
    }
    // end
    GetUsageReportRequest sent = scheduler.requests(GetUsageReportRequest.class).get(0);
    assertThat(sent.getStep().getSeconds()).isEqualTo(86_400);
    assertThat(sent.getEnd().getSeconds() - sent.getStart().getSeconds()).isEqualTo(7 * 86_400);
    assertThat(printed()).contains("GPU-hours of work lost", "3600.0");
  }

  @Test
  void preemptions() {
    scheduler.queues.preemptions.add(
        io.quotashare.proto.v1.Preemption.newBuilder()
            .setJob("queues/research/jobs/j-91c")
            .setBeneficiaryJob("j-4f2")
            .setObservedOnly(true)
            .build());
    // snippet: preemptions
    PreemptionFilter ofJob = PreemptionFilter.all().ofJob("j-4f2");
    for (Preemption p : client.queues().preemptions("research", ofJob)) {
      String what = p.observedOnly() ? " would be stopped for " : " was stopped for ";
      out.println(p.jobId() + what + p.beneficiaryJob());
    }
    // end
    assertThat(printed()).isEqualToIgnoringNewLines("j-91c would be stopped for j-4f2");
  }

  @Test
  void nodes() {
    // snippet: nodes
    for (Node node : client.nodes().list()) {
      out.println(node.id() + " " + node.state() + " " + node.devices().size());
    }
    Node node = client.nodes().get("gpu-1");

    client.admin().cordon("gpu-1");
    client.admin().drain("gpu-1");
    client.admin().uncordon("gpu-1");
    client.admin().fence("gpu-2");
    // end
    assertThat(node.id()).isEqualTo("gpu-1");
    assertThat(scheduler.requests(CordonNodeRequest.class).get(0).getName())
        .isEqualTo("nodes/gpu-1");
  }

  @Test
  void admin() {
    scheduler.queues.auditEvents.add(
        io.quotashare.proto.admin.v1.AuditEvent.newBuilder()
            .setPrincipal("ops")
            .setAction("PAUSE_SCHEDULING")
            .setResource("scheduler")
            .build());
    // snippet: admin
    client.admin().pause("switch maintenance until 14:00");
    SchedulerStatus status = client.admin().status();
    out.println(status.paused() + " " + status.pauseReason());
    client.admin().resume();

    StateVerification verification = client.admin().verify();
    verification.problems().forEach(out::println);

    AuditFilter ofShare = AuditFilter.all().of("queues/research/shares/vision");
    for (AuditEvent event : client.admin().auditEvents(ofShare)) {
      out.println(event.time() + " " + event.principal() + " " + event.action());
    }
    // end
    assertThat(verification.isSound()).isTrue();
    assertThat(printed())
        .isEqualToIgnoringNewLines("true switch maintenance until 14:00null ops PAUSE_SCHEDULING");
    assertThat(client.admin().status().paused()).isFalse();
  }

  @Test
  void requestIds() {
    // snippet: request-id
    UUID requestId = UUID.nameUUIDFromBytes("maintenance-2026-12".getBytes(StandardCharsets.UTF_8));
    client.admin().cordon("gpu-1", requestId);
    // end
    assertThat(scheduler.requests(CordonNodeRequest.class).get(0).getRequestId())
        .isEqualTo(requestId.toString());
  }
}
