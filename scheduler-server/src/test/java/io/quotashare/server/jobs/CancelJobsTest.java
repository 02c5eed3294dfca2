package io.quotashare.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.proto.v1.CancelJobsRequest;
import io.quotashare.proto.v1.CancelJobsResponse;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.SubmitJobsRequest;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.store.AuditQuery;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CancelJobsTest {
  private static final String PARENT = "queues/research";

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
  void filterSelectsOldestFirst() {
    submit("d", "lender", "x");
    submit("c", "lender", "y");
    submit("b", "lender", "x");
    submit("a", "borrower", "x");

    assertThat(cancel(filter().setShare("lender").putLabels("team", "x")).getJobsList())
        .containsExactly(name("d"), name("b"));
    assertThat(states("a", "b", "c", "d"))
        .containsExactly(
            JobState.JOB_STATE_SCHEDULED,
            JobState.JOB_STATE_CANCELLED,
            JobState.JOB_STATE_SCHEDULED,
            JobState.JOB_STATE_STOPPING);
    assertThat(server.store().audit(AuditQuery.newest(2)).items())
        .extracting(record -> record.event().action() + " " + record.event().resource())
        .containsExactly("CANCEL_JOB " + name("b"), "CANCEL_JOB " + name("d"));
  }

  @Test
  void statesSelect() {
    submit("a", "lender", "x");
    submit("b", "lender", "x");
    submit("c", "lender", "x");

    assertThat(cancel(filter().addStates(JobState.JOB_STATE_RUNNABLE)).getJobsList())
        .containsExactly(name("c"));
  }

  @Test
  void whatEndsAnywayIsNotSelectedAgain() {
    submit("a", "lender", "x");
    agent.run(name("a") + "/attempts/1");
    submit("b", "lender", "x");

    assertThat(cancel(filter().setAll(true)).getJobsList()).containsExactly(name("a"), name("b"));
    assertThat(cancel(filter().setAll(true))).isEqualTo(CancelJobsResponse.getDefaultInstance());
    assertThat(states("a")).containsExactly(JobState.JOB_STATE_STOPPING);
  }

  @Test
  void reasonIsRecordedWithEveryJob() {
    submit("a", "lender", "x");
    submit("b", "lender", "x");
    submit("c", "lender", "x");

    cancel(filter().setAll(true).setReason("end of the quarter"));

    assertThat(job("c").getEndReason()).isEqualTo("cancelled: end of the quarter");
  }

  @Test
  void allMustBeSaidWhereNothingFilters() {
    submit("a", "lender", "x");

    for (CancelJobsRequest.Builder request :
        List.of(
            filter(),
            filter().addAllStates(JobFilter.open().stream().map(JobWriter::state).toList()))) {
      assertThat(ErrorInfos.fields(server.error(server.jobs().cancelJobs(request.build()))))
          .containsExactly("all");
    }
    assertThat(states("a")).containsExactly(JobState.JOB_STATE_SCHEDULED);
  }

  @Test
  void previewCancelsNothing() {
    submit("a", "lender", "x");
    long before = server.store().lastCommit().revision();

    assertThat(cancel(filter().setShare("lender").setValidateOnly(true)).getJobsList())
        .containsExactly(name("a"));
    assertThat(cancel(filter().setShare("borrower").setValidateOnly(true)).getJobsList()).isEmpty();

    assertThat(states("a")).containsExactly(JobState.JOB_STATE_SCHEDULED);
    assertThat(server.store().lastCommit().revision()).isEqualTo(before);
  }

  @Test
  void aCallCancelsAThousandInOneCommitAndSaysHowManyAreLeft() {
    submitMany(0, 700);
    submitMany(700, 1300);
    long before = server.store().lastCommit().revision();

    CancelJobsResponse first = cancel(filter().setShare("lender"));

    assertThat(first.getJobsList()).hasSize(1000).startsWith(name("j0"), name("j1"));
    assertThat(first.getRemaining()).isEqualTo(300);
    assertThat(server.store().lastCommit().revision()).isEqualTo(before + 1);
    CancelJobsResponse second = cancel(filter().setShare("lender"));
    assertThat(second.getJobsList()).hasSize(300).startsWith(name("j1000")).doesNotHaveDuplicates();
    assertThat(second.getRemaining()).isZero();
  }

  @Test
  void repeatIsGivenTheFirstAnswer() {
    submit("a", "lender", "x");
    CancelJobsRequest.Builder request =
        filter().setShare("lender").setRequestId(UUID.randomUUID().toString());
    CancelJobsResponse first = cancel(request);
    submit("b", "lender", "x");

    assertThat(cancel(request)).isEqualTo(first);
    assertThat(job("b").getState()).isNotEqualTo(JobState.JOB_STATE_CANCELLED);
    assertThat(
            ErrorInfos.reason(
                server.error(server.jobs().cancelJobs(request.setReason("other").build()))))
        .isEqualTo("REQUEST_ID_REUSED");
  }

  private CancelJobsResponse cancel(CancelJobsRequest.Builder request) {
    return server.answer(server.jobs().cancelJobs(request.build()));
  }

  private static CancelJobsRequest.Builder filter() {
    return CancelJobsRequest.newBuilder().setParent(PARENT);
  }

  private void submit(String id, String share, String team) {
    SubmitJobRequest.Builder request = Policies.submit(id, share, 1);
    request.getSpecBuilder().putLabels("team", team);
    server.answer(server.jobs().submitJob(request.build()));
  }

  private void submitMany(int from, int to) {
    SubmitJobsRequest.Builder batch = SubmitJobsRequest.newBuilder().setParent(PARENT);
    for (int i = from; i < to; i++) {
      batch.addRequests(Policies.submit("j" + i, "lender", 1));
    }
    server.answer(server.jobs().submitJobs(batch.build()));
  }

  private List<JobState> states(String... ids) {
    return List.of(ids).stream().map(id -> job(id).getState()).toList();
  }

  private Job job(String id) {
    return server
        .answer(server.jobs().getJob(GetJobRequest.newBuilder().setName(name(id)).build()))
        .getJob();
  }

  private static String name(String id) {
    return PARENT + "/jobs/" + id;
  }
}
