package io.quotashare.server.shares;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.FieldMask;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.v1.AdminState;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.ApplyPolicyResponse;
import io.quotashare.proto.v1.CreateQuotaShareRequest;
import io.quotashare.proto.v1.DeleteQuotaShareRequest;
import io.quotashare.proto.v1.DeleteQuotaShareResponse;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.GetQueueRequest;
import io.quotashare.proto.v1.GetQuotaShareRequest;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.ListPreemptionsRequest;
import io.quotashare.proto.v1.ListQuotaSharesRequest;
import io.quotashare.proto.v1.PolicyQueue;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.proto.v1.SharingStrategy;
import io.quotashare.proto.v1.UpdateQuotaShareRequest;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.FakeClock;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.failpoint.Failpoints;
import io.quotashare.server.store.AuditQuery;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DeleteQuotaShare, and ApplyPolicy with prune. */
class ShareRemovalTest {
  private static final String BORROWER = "queues/research/shares/borrower";
  private static final String RUNNING = "queues/research/jobs/runs/attempts/1";

  private TestServer server;
  private FakeAgent agent;

  @BeforeEach
  void start() {
    begin(TestServer.create());
  }

  private void begin(TestServer with) {
    server = with;
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    agent = new FakeAgent(server, "n1", 3).join();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void enabledShareIsNotRemoved() {
    refused("SHARE_NOT_DISABLED", () -> delete(BORROWER));
    assertThat(get(BORROWER).getRemoving()).isFalse();
  }

  @Test
  void idleShareIsGoneAtOnceAndCanBeMadeAnew() {
    disable(BORROWER);

    DeleteQuotaShareResponse deleted = delete(BORROWER);

    assertThat(deleted).isEqualTo(DeleteQuotaShareResponse.getDefaultInstance());
    assertThat(shares()).containsExactly("queues/research/shares/lender");
    refused("NOT_FOUND", () -> get(BORROWER));
    refused("NOT_FOUND", () -> delete(BORROWER));
    create("borrower");
    assertThat(shares()).hasSize(2);
  }

  @Test
  void whatWaitsIsCancelledAndWhatRunsIsStoppedByTheLadder() {
    runAndWait();

    DeleteQuotaShareResponse deleted = delete(BORROWER);
    server.settle();

    assertThat(deleted.getCancelledJobs()).isEqualTo(1);
    assertThat(deleted.getStoppingJobs()).isEqualTo(1);
    assertThat(job("waits").getState()).isEqualTo(JobState.JOB_STATE_CANCELLED);
    assertThat(job("waits").getEndReason()).contains("its share is being removed");
    assertThat(job("runs").getState()).isEqualTo(JobState.JOB_STATE_STOPPING);
    assertThat(agent.stops()).hasSize(1);
    assertThat(get(BORROWER))
        .satisfies(
            share -> {
              assertThat(share.getRemoving()).isTrue();
              assertThat(share.getShare().getState()).isEqualTo(AdminState.ADMIN_STATE_DISABLED);
            });

    agent.stopped(RUNNING);

    assertThat(job("runs").getState()).isEqualTo(JobState.JOB_STATE_CANCELLED);
    assertThat(shares()).containsExactly("queues/research/shares/lender");
  }

  @Test
  void shareOnItsWayOutAcceptsNothing() {
    runAndWait();
    delete(BORROWER);

    refused("SHARE_BEING_REMOVED", () -> delete(BORROWER));
    refused("SHARE_BEING_REMOVED", () -> create("borrower"));
    refused("SHARE_BEING_REMOVED", () -> enable(BORROWER));
    refused(
        "SHARE_BEING_REMOVED",
        () -> server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower())));
    refused(
        "SHARE_DISABLED",
        () -> server.answer(server.jobs().submitJob(Policies.submit("b", "borrower", 1).build())));
    assertThat(get(BORROWER).getRemoving()).isTrue();
  }

  @Test
  void onlyCheckedRemovalSaysWhatItWouldDo() {
    runAndWait();
    QuotaShareStatus before = get(BORROWER);

    DeleteQuotaShareResponse preview =
        server.answer(
            server
                .shares()
                .deleteQuotaShare(
                    DeleteQuotaShareRequest.newBuilder()
                        .setName(BORROWER)
                        .setValidateOnly(true)
                        .build()));

    assertThat(preview.getCancelledJobs()).isEqualTo(1);
    assertThat(preview.getStoppingJobs()).isEqualTo(1);
    assertThat(get(BORROWER)).isEqualTo(before);
    assertThat(job("runs").getState()).isEqualTo(JobState.JOB_STATE_RUNNING);
  }

  @Test
  void oldEtagIsAborted() {
    String old = get(BORROWER).getShare().getEtag();
    disable(BORROWER);

    StatusRuntimeException error =
        server.error(
            server
                .shares()
                .deleteQuotaShare(
                    DeleteQuotaShareRequest.newBuilder().setName(BORROWER).setEtag(old).build()));

    assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.ABORTED);
    assertThat(shares()).contains(BORROWER);
  }

  @Test
  void removalGoesOnAfterARestart(@TempDir Path folder) {
    server.close();
    FakeClock clock = new FakeClock();
    begin(TestServer.onSqlite(folder, clock, Failpoints.NONE));
    runAndWait();
    delete(BORROWER);

    server.close();
    server = TestServer.onSqlite(folder, clock, Failpoints.NONE);
    assertThat(get(BORROWER).getRemoving()).isTrue();
    agent.on(server);
    agent.register(
        agent
            .status(RUNNING, io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_RUNNING)
            .build());
    agent.connect();
    assertThat(agent.stops()).isNotEmpty();
    agent.stopped(RUNNING);
    assertThat(shares()).doesNotContain(BORROWER);

    server.close();
    server = TestServer.onSqlite(folder, clock, Failpoints.NONE);
    assertThat(shares()).containsExactly("queues/research/shares/lender");
    assertThat(job("runs").getState()).isEqualTo(JobState.JOB_STATE_CANCELLED);
    create("borrower");
  }

  @Test
  void historyOfARemovedShareStaysReadable() {
    server.answer(server.jobs().submitJob(Policies.submit("runs", "borrower", 3).build()));
    agent.run(RUNNING);
    server.answer(server.jobs().submitJob(Policies.submit("own", "lender", 2).build()));
    agent.stopped(RUNNING);
    disable(BORROWER);
    delete(BORROWER);
    assertThat(shares()).doesNotContain(BORROWER);

    assertThat(
            server
                .answer(
                    server
                        .jobs()
                        .listJobs(
                            ListJobsRequest.newBuilder()
                                .setParent("queues/research")
                                .setShare("borrower")
                                .build()))
                .getJobsList())
        .extracting(Job::getName)
        .containsExactly("queues/research/jobs/runs");
    assertThat(
            server
                .answer(
                    server
                        .queues()
                        .listPreemptions(
                            ListPreemptionsRequest.newBuilder()
                                .setParent("queues/research")
                                .setShare("borrower")
                                .build()))
                .getPreemptionsCount())
        .isEqualTo(1);
    assertThat(server.answer(server.queues().getUsageReport(usage())).toString())
        .contains("borrower");
    assertThat(server.store().audit(AuditQuery.newest(1)).items().get(0).event())
        .satisfies(
            event -> {
              assertThat(event.action()).isEqualTo("DELETE_SHARE");
              assertThat(event.resource()).isEqualTo(BORROWER);
              assertThat(event.detail()).contains("1 waiting jobs cancelled, 0 jobs being stopped");
            });
  }

  // Prune

  @Test
  void pruneRemovesWhatThePolicyDoesNotName() {
    runAndWait();
    enable(BORROWER);
    server.answer(server.shares().applyPolicy(other()));

    ApplyPolicyResponse applied =
        server.answer(server.shares().applyPolicy(lenderOnly().setPrune(true).build()));
    server.settle();

    assertThat(applied.getRemovedList())
        .containsExactly("queues/other", "queues/other/shares/x", BORROWER);
    assertThat(applied.getUnmanagedList()).isEmpty();
    assertThat(job("waits").getState()).isEqualTo(JobState.JOB_STATE_CANCELLED);
    assertThat(shares()).containsExactly(BORROWER, "queues/research/shares/lender");
    assertThat(
            server
                .error(
                    server
                        .queues()
                        .getQueue(GetQueueRequest.newBuilder().setName("queues/other").build()))
                .getStatus()
                .getCode())
        .isEqualTo(Status.Code.NOT_FOUND);

    agent.stopped(RUNNING);
    assertThat(shares()).containsExactly("queues/research/shares/lender");
  }

  @Test
  void onlyCheckedPruneSaysWhatItWouldRemoveAndRemovesNothing() {
    ApplyPolicyResponse preview =
        server.answer(
            server.shares().applyPolicy(lenderOnly().setPrune(true).setValidateOnly(true).build()));

    assertThat(preview.getRemovedList()).containsExactly(BORROWER);
    assertThat(shares()).hasSize(2);
  }

  @Test
  void policyThatIsRefusedPrunesNothing() {
    ApplyPolicyRequest.Builder bad = lenderOnly().setPrune(true);
    bad.getQueuesBuilder(0).getSharesBuilder(0).putCapacity("H100", -1);

    refused("INVALID_ARGUMENT", () -> server.answer(server.shares().applyPolicy(bad.build())));

    assertThat(shares()).hasSize(2);
    assertThat(get(BORROWER).getRemoving()).isFalse();
  }

  @Test
  void withoutPruneTheRestIsListedAndStays() {
    ApplyPolicyResponse applied = server.answer(server.shares().applyPolicy(lenderOnly().build()));

    assertThat(applied.getUnmanagedList()).containsExactly(BORROWER);
    assertThat(applied.getRemovedList()).isEmpty();
    assertThat(shares()).hasSize(2);
  }

  @Test
  void queueWithTheSelectorOfAPrunedOneTakesItsNodes() {
    ApplyPolicyRequest renamed =
        ApplyPolicyRequest.newBuilder()
            .addQueues(
                PolicyQueue.newBuilder()
                    .setQueue(Queue.newBuilder().setName("queues/renamed"))
                    .addShares(
                        Policies.share("x", 1)
                            .setName("queues/renamed/shares/x")
                            .setStrategy(SharingStrategy.SHARING_STRATEGY_RESERVE)))
            .build();
    refused("SELECTOR_IN_USE", () -> server.answer(server.shares().applyPolicy(renamed)));

    server.answer(server.shares().applyPolicy(renamed.toBuilder().setPrune(true).build()));

    assertThat(server.readModel().current().queueOf("n1")).contains("renamed");
    assertThat(server.readModel().current().queues()).containsOnlyKeys("renamed");
  }

  private void runAndWait() {
    server.answer(server.jobs().submitJob(Policies.submit("runs", "borrower", 3).build()));
    agent.run(RUNNING);
    server.answer(server.jobs().submitJob(Policies.submit("waits", "borrower", 1).build()));
    disable(BORROWER);
  }

  private static ApplyPolicyRequest.Builder lenderOnly() {
    ApplyPolicyRequest.Builder policy = Policies.lenderAndBorrower().toBuilder();
    policy.getQueuesBuilder(0).removeShares(1);
    return policy;
  }

  private static ApplyPolicyRequest other() {
    return ApplyPolicyRequest.newBuilder()
        .addQueues(
            PolicyQueue.newBuilder()
                .setQueue(
                    Queue.newBuilder().setName("queues/other").putNodeSelector("pool", "other"))
                .addShares(
                    QuotaShare.newBuilder()
                        .setName("queues/other/shares/x")
                        .putCapacity("H100", 1)
                        .setStrategy(SharingStrategy.SHARING_STRATEGY_RESERVE)
                        .setInSharePreemption(false)))
        .build();
  }

  private DeleteQuotaShareResponse delete(String name) {
    return server.answer(
        server
            .shares()
            .deleteQuotaShare(DeleteQuotaShareRequest.newBuilder().setName(name).build()));
  }

  private void create(String id) {
    server.answer(
        server
            .shares()
            .createQuotaShare(
                CreateQuotaShareRequest.newBuilder()
                    .setParent("queues/research")
                    .setShareId(id)
                    .setShare(
                        QuotaShare.newBuilder()
                            .setStrategy(SharingStrategy.SHARING_STRATEGY_RESERVE)
                            .setInSharePreemption(false))
                    .build()));
  }

  private void disable(String name) {
    setState(name, AdminState.ADMIN_STATE_DISABLED);
  }

  private void enable(String name) {
    setState(name, AdminState.ADMIN_STATE_ENABLED);
  }

  private void setState(String name, AdminState state) {
    server.answer(
        server
            .shares()
            .updateQuotaShare(
                UpdateQuotaShareRequest.newBuilder()
                    .setShare(QuotaShare.newBuilder().setName(name).setState(state))
                    .setUpdateMask(FieldMask.newBuilder().addPaths("state"))
                    .build()));
  }

  private QuotaShareStatus get(String name) {
    return server
        .answer(
            server.shares().getQuotaShare(GetQuotaShareRequest.newBuilder().setName(name).build()))
        .getShare();
  }

  private List<String> shares() {
    return server
        .answer(
            server
                .shares()
                .listQuotaShares(ListQuotaSharesRequest.newBuilder().setParent("queues/-").build()))
        .getSharesList()
        .stream()
        .map(share -> share.getShare().getName())
        .toList();
  }

  private Job job(String id) {
    return server
        .answer(
            server
                .jobs()
                .getJob(GetJobRequest.newBuilder().setName("queues/research/jobs/" + id).build()))
        .getJob();
  }

  private static io.quotashare.proto.v1.GetUsageReportRequest usage() {
    return io.quotashare.proto.v1.GetUsageReportRequest.newBuilder()
        .setName("queues/research")
        .build();
  }

  private static void refused(String reason, Runnable call) {
    try {
      call.run();
    } catch (StatusRuntimeException e) {
      assertThat(ErrorInfos.reason(e)).isEqualTo(reason);
      return;
    }
    throw new AssertionError("not refused");
  }
}
