package io.quotashare.server.shares;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.FieldMask;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.v1.AdminState;
import io.quotashare.proto.v1.CreateQuotaShareRequest;
import io.quotashare.proto.v1.CreateQuotaShareResponse;
import io.quotashare.proto.v1.DeleteQuotaShareRequest;
import io.quotashare.proto.v1.DeleteQuotaShareResponse;
import io.quotashare.proto.v1.GetQuotaShareRequest;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.PreemptionCause;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.proto.v1.ShareOrdering;
import io.quotashare.proto.v1.SharingStrategy;
import io.quotashare.proto.v1.UpdateQuotaShareRequest;
import io.quotashare.proto.v1.UpdateQuotaShareResponse;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.store.AuditEvent;
import io.quotashare.server.store.AuditQuery;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ShareChangesTest {
  private static final String LENDER = "queues/research/shares/lender";
  private static final String BORROWER = "queues/research/shares/borrower";

  private TestServer server;
  private FakeAgent agent;

  @BeforeEach
  void start() {
    server = TestServer.create();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    agent = new FakeAgent(server, "n1", 4).join();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  // Create

  @Test
  void createdShareTakesJobsAtOnce() {
    QuotaShareStatus made = create(newShare()).getShare();

    assertThat(made.getShare().getName()).isEqualTo("queues/research/shares/vision");
    assertThat(made.getShare().getEtag()).isNotEmpty();
    assertThat(made.getUsage(0).getLimit()).isEqualTo(1);
    assertThat(get("queues/research/shares/vision")).isEqualTo(made);
    server.answer(server.jobs().submitJob(Policies.submit("a", "vision", 1).build()));
    assertThat(state("a")).isEqualTo(JobState.JOB_STATE_SCHEDULED);
    assertThat(newestAudit().action()).isEqualTo("SUBMIT_JOB");
    assertThat(server.store().audit(AuditQuery.newest(2)).items().get(1).event())
        .satisfies(
            event -> {
              assertThat(event.action()).isEqualTo("CREATE_SHARE");
              assertThat(event.resource()).isEqualTo("queues/research/shares/vision");
              assertThat(event.after()).contains("SHARING_STRATEGY_RESERVE").contains("H100");
            });
  }

  @Test
  void onlyCheckedShareIsNotMade() {
    QuotaShareStatus preview = create(newShare().setValidateOnly(true)).getShare();

    assertThat(preview.getShare().getCapacityMap()).containsEntry("H100", 1);
    assertThat(preview.getUsageCount()).isZero();
    refused(Status.Code.NOT_FOUND, "NOT_FOUND", () -> get("queues/research/shares/vision"));
    assertThat(newestAudit().action()).isEqualTo("APPLY_POLICY");
  }

  @Test
  void shareThatExistsIsRefused() {
    refused(
        Status.Code.ALREADY_EXISTS, "SHARE_EXISTS", () -> create(newShare().setShareId("lender")));
    assertThat(get(LENDER).getShare().getCapacityMap()).containsEntry("H100", 2);
  }

  // Update

  @Test
  void onlyTheNamedFieldsChange() {
    QuotaShare.Builder wanted =
        QuotaShare.newBuilder()
            .setName(LENDER)
            .putCapacity("H100", 3)
            .setStrategy(SharingStrategy.SHARING_STRATEGY_RESERVE)
            .setWeight(7);

    QuotaShare after = update(wanted, "capacity", "weight").getShare().getShare();

    assertThat(after.getCapacityMap()).containsExactly(java.util.Map.entry("H100", 3));
    assertThat(after.getWeight()).isEqualTo(7);
    assertThat(after.getStrategy()).isEqualTo(SharingStrategy.SHARING_STRATEGY_LEND);
    assertThat(newestAudit())
        .satisfies(
            event -> {
              assertThat(event.action()).isEqualTo("UPDATE_SHARE");
              assertThat(event.before()).contains("weight: 1 ");
              assertThat(event.after()).contains("weight: 7 ");
            });
  }

  @Test
  void namedFieldThatIsNotSetGetsItsDefault() {
    update(
        share(LENDER).setWeight(7).setOrdering(ShareOrdering.SHARE_ORDERING_BACKFILL),
        "weight",
        "ordering");

    QuotaShare after = update(share(LENDER), "weight", "ordering").getShare().getShare();

    assertThat(after.getWeight()).isEqualTo(1);
    assertThat(after.getOrdering()).isEqualTo(ShareOrdering.SHARE_ORDERING_STRICT);
  }

  @Test
  void starReplacesEverything() {
    update(share(BORROWER).setBorrowLimitPercent(50), "borrow_limit_percent");

    QuotaShare after =
        update(
                share(BORROWER)
                    .putCapacity("A100", 1)
                    .setStrategy(SharingStrategy.SHARING_STRATEGY_RESERVE)
                    .setInSharePreemption(true),
                "*")
            .getShare()
            .getShare();

    assertThat(after.getCapacityMap()).containsOnlyKeys("A100");
    assertThat(after.hasBorrowLimitPercent()).isFalse();
    assertThat(after.getInSharePreemption()).isTrue();
  }

  @Test
  void namingOneFormOfALimitReplacesTheOther() {
    update(share(BORROWER).setBorrowLimitPercent(50), "borrow_limit_percent");
    QuotaShare devices =
        update(share(BORROWER).putBorrowLimit("H100", 2), "borrow_limit").getShare().getShare();
    QuotaShare percent =
        update(share(BORROWER).setBorrowLimitPercent(10), "borrow_limit_percent")
            .getShare()
            .getShare();

    assertThat(devices.hasBorrowLimitPercent()).isFalse();
    assertThat(devices.getBorrowLimitMap()).containsEntry("H100", 2);
    assertThat(percent.getBorrowLimitMap()).isEmpty();
    assertThat(percent.getBorrowLimitPercent()).isEqualTo(10);
  }

  @Test
  void anotherStrategyNeedsNoWordAboutLimitsThatWereNeverSet() {
    QuotaShare after =
        update(share(BORROWER).setStrategy(SharingStrategy.SHARING_STRATEGY_RESERVE), "strategy")
            .getShare()
            .getShare();

    assertThat(after.getStrategy()).isEqualTo(SharingStrategy.SHARING_STRATEGY_RESERVE);
  }

  @Test
  void limitThatContradictsTheNewStrategyIsNamedAndNothingChanges() {
    update(share(BORROWER).setBorrowLimitPercent(50), "borrow_limit_percent");
    QuotaShareStatus before = get(BORROWER);

    StatusRuntimeException error =
        refused(
            Status.Code.INVALID_ARGUMENT,
            "INVALID_ARGUMENT",
            () ->
                update(
                    share(BORROWER).setStrategy(SharingStrategy.SHARING_STRATEGY_LEND),
                    "strategy"));

    assertThat(ErrorInfos.fields(error)).containsExactly("share.borrow_limit_percent");
    assertThat(get(BORROWER)).isEqualTo(before);
  }

  @Test
  void unknownPathIsNamedWithWhatIsAllowed() {
    StatusRuntimeException error =
        refused(
            Status.Code.INVALID_ARGUMENT,
            "INVALID_ARGUMENT",
            () -> update(share(LENDER), "weight", "wieght", "name"));

    assertThat(error.getStatus().getDescription())
        .contains("update_mask: wieght, name (expected: ")
        .contains("borrow_limit_percent, capacity,")
        .contains("or * alone");
  }

  @Test
  void oldEtagIsAborted() {
    String old = get(LENDER).getShare().getEtag();
    update(share(LENDER).setWeight(2), "weight");

    StatusRuntimeException error =
        refused(
            Status.Code.ABORTED,
            "ETAG_MISMATCH",
            () -> update(share(LENDER).setWeight(3).setEtag(old), "weight"));

    assertThat(error.getStatus().getDescription()).contains(old);
    assertThat(get(LENDER).getShare().getWeight()).isEqualTo(2);
    String present = get(LENDER).getShare().getEtag();
    update(share(LENDER).setWeight(3).setEtag(present), "weight");
    assertThat(get(LENDER).getShare().getWeight()).isEqualTo(3);
  }

  @Test
  void onlyCheckedUpdateShowsTheShareAsItWouldBe() {
    QuotaShareStatus before = get(LENDER);
    UpdateQuotaShareRequest request =
        request(share(LENDER).putCapacity("H100", 1), "capacity").setValidateOnly(true).build();

    QuotaShareStatus preview = server.answer(server.shares().updateQuotaShare(request)).getShare();

    assertThat(preview.getShare().getCapacityMap()).containsEntry("H100", 1);
    assertThat(get(LENDER)).isEqualTo(before);
  }

  @Test
  void loweredLimitStopsOnDemandOrAtOnce() {
    for (String id : List.of("a", "b")) {
      server.answer(server.jobs().submitJob(Policies.submit(id, "lender", 1).build()));
      agent.run("queues/research/jobs/" + id + "/attempts/1");
      server.advance(1_000);
    }

    update(share(LENDER).putCapacity("H100", 1), "capacity");
    assertThat(agent.stops()).isEmpty();

    UpdateQuotaShareRequest drain =
        request(share(LENDER).putCapacity("H100", 1), "capacity").setDrainNow(true).build();
    server.answer(server.shares().updateQuotaShare(drain));
    server.settle();

    assertThat(agent.stops()).hasSize(1);
    assertThat(state("b")).isEqualTo(JobState.JOB_STATE_PREEMPTING);
    assertThat(job("b").getLatestAttempt().getPreemptionCause())
        .isEqualTo(PreemptionCause.PREEMPTION_CAUSE_CAPACITY_LOWERED);
    assertThat(newestAudit().detail()).contains("at once");
  }

  @Test
  void disabledShareRefusesJobs() {
    update(share(LENDER).setState(AdminState.ADMIN_STATE_DISABLED), "state");

    refused(
        Status.Code.FAILED_PRECONDITION,
        "SHARE_DISABLED",
        () -> server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 1).build())));
  }

  /** One call makes it, the next changes it, the third removes it, before anything is decided. */
  @Test
  void shareThatIsRemovedInTheSameBatchWasMadeAndChanged() {
    String vision = "queues/research/shares/vision";
    ListenableFuture<CreateQuotaShareResponse> made =
        server.shares().createQuotaShare(newShare().build());
    ListenableFuture<UpdateQuotaShareResponse> disabled =
        server
            .shares()
            .updateQuotaShare(
                request(share(vision).setState(AdminState.ADMIN_STATE_DISABLED), "state").build());
    ListenableFuture<DeleteQuotaShareResponse> deleted =
        server
            .shares()
            .deleteQuotaShare(DeleteQuotaShareRequest.newBuilder().setName(vision).build());

    assertThat(server.answer(made).getShare().getShare().getName()).isEqualTo(vision);
    assertThat(server.answer(disabled).getShare().getShare().getState())
        .isEqualTo(AdminState.ADMIN_STATE_DISABLED);
    assertThat(server.answer(deleted)).isEqualTo(DeleteQuotaShareResponse.getDefaultInstance());
    refused(Status.Code.NOT_FOUND, "NOT_FOUND", () -> get(vision));
  }

  private static CreateQuotaShareRequest.Builder newShare() {
    return CreateQuotaShareRequest.newBuilder()
        .setParent("queues/research")
        .setShareId("vision")
        .setShare(
            QuotaShare.newBuilder()
                .setName("is not used")
                .putCapacity("H100", 1)
                .setStrategy(SharingStrategy.SHARING_STRATEGY_RESERVE)
                .setInSharePreemption(false));
  }

  private io.quotashare.proto.v1.CreateQuotaShareResponse create(
      CreateQuotaShareRequest.Builder request) {
    return server.answer(server.shares().createQuotaShare(request.build()));
  }

  private static QuotaShare.Builder share(String name) {
    return QuotaShare.newBuilder().setName(name);
  }

  private static UpdateQuotaShareRequest.Builder request(
      QuotaShare.Builder share, String... paths) {
    return UpdateQuotaShareRequest.newBuilder()
        .setShare(share)
        .setUpdateMask(FieldMask.newBuilder().addAllPaths(List.of(paths)));
  }

  private io.quotashare.proto.v1.UpdateQuotaShareResponse update(
      QuotaShare.Builder share, String... paths) {
    return server.answer(server.shares().updateQuotaShare(request(share, paths).build()));
  }

  private QuotaShareStatus get(String name) {
    return server
        .answer(
            server.shares().getQuotaShare(GetQuotaShareRequest.newBuilder().setName(name).build()))
        .getShare();
  }

  private io.quotashare.proto.v1.Job job(String id) {
    return server
        .answer(
            server
                .jobs()
                .getJob(
                    io.quotashare.proto.v1.GetJobRequest.newBuilder()
                        .setName("queues/research/jobs/" + id)
                        .build()))
        .getJob();
  }

  private JobState state(String id) {
    return job(id).getState();
  }

  private AuditEvent newestAudit() {
    return server.store().audit(AuditQuery.newest(10)).items().stream()
        .map(entry -> entry.event())
        .filter(event -> !event.principal().equals("scheduler"))
        .findFirst()
        .orElseThrow();
  }

  private static StatusRuntimeException refused(Status.Code code, String reason, Runnable call) {
    try {
      call.run();
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getCode()).isEqualTo(code);
      assertThat(ErrorInfos.reason(e)).isEqualTo(reason);
      return e;
    }
    throw new AssertionError("not refused");
  }
}
