package io.quotashare.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.ExplainJobRequest;
import io.quotashare.proto.v1.ExplainJobResponse;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.ListAttemptsRequest;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.ListJobsResponse;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.store.AuditQuery;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobEndpointTest {
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
  void unknownJobIsNotFound() {
    StatusRuntimeException error =
        server.error(server.jobs().getJob(GetJobRequest.newBuilder().setName(name("x")).build()));

    assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(ErrorInfos.reason(error)).isEqualTo("NOT_FOUND");
    assertThat(error.getStatus().getDescription()).contains(name("x"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "queues/a/jobs/", "queues/a/jobs/../b", "queues/A/jobs/b"})
  void malformedNameIsInvalid(String name) {
    StatusRuntimeException error =
        server.error(server.jobs().getJob(GetJobRequest.newBuilder().setName(name).build()));

    assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(ErrorInfos.fields(error)).containsExactly("name");
  }

  @Test
  void listComesPageByPageInOrder() {
    for (String id : List.of("e", "a", "d", "c", "b")) {
      submit(id, "lender", 1);
    }

    List<String> seen = new ArrayList<>();
    ListJobsRequest.Builder request = ListJobsRequest.newBuilder().setParent(PARENT).setPageSize(2);
    int pages = 0;
    do {
      ListJobsResponse page = server.answer(server.jobs().listJobs(request.build()));
      page.getJobsList().forEach(job -> seen.add(job.getName().substring(21)));
      request.setPageToken(page.getNextPageToken());
      pages++;
    } while (!request.getPageToken().isEmpty());

    assertThat(seen).containsExactly("a", "b", "c", "d", "e");
    assertThat(pages).isEqualTo(3);
  }

  @Test
  void listFiltersByStateShareAndLabel() {
    submit("a", "lender", 2);
    submit("b", "lender", 2);
    submit("c", "borrower", 1);
    SubmitJobRequest.Builder labelled = Policies.submit("d", "borrower", 1);
    labelled.getSpecBuilder().putLabels("team", "vision").putLabels("x", "y");
    server.answer(server.jobs().submitJob(labelled.build()));

    assertThat(list(all().addStates(JobState.JOB_STATE_SCHEDULED))).containsExactly("a", "c");
    assertThat(list(all().addStates(JobState.JOB_STATE_RUNNABLE).setShare("lender")))
        .containsExactly("b");
    assertThat(list(all().putLabels("team", "vision"))).containsExactly("d");
    assertThat(list(all().setParent("queues/-"))).containsExactly("a", "b", "c", "d");
    assertThat(list(all().setParent("queues/other"))).isEmpty();
  }

  @Test
  void tokenOfAnotherListIsRefused() {
    submit("a", "lender", 1);
    submit("b", "lender", 1);
    String token =
        server.answer(server.jobs().listJobs(all().setPageSize(1).build())).getNextPageToken();

    StatusRuntimeException other =
        server.error(server.jobs().listJobs(all().setShare("lender").setPageToken(token).build()));
    StatusRuntimeException garbage =
        server.error(server.jobs().listJobs(all().setPageToken("???").build()));

    assertThat(ErrorInfos.fields(other)).containsExactly("page_token");
    assertThat(ErrorInfos.fields(garbage)).containsExactly("page_token");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1001})
  void pageSizeHasABound(int size) {
    StatusRuntimeException error =
        server.error(server.jobs().listJobs(all().setPageSize(size).build()));

    assertThat(ErrorInfos.fields(error)).containsExactly("page_size");
  }

  @Test
  void raisedPriorityTakesEffectAtOnce() {
    submit("a", "lender", 2);
    submit("b", "lender", 2);
    submit("c", "lender", 2);

    Job c = server.answer(server.jobs().updateJobPriority(priority("c", 5).build())).getJob();
    agent.run(name("a") + "/attempts/1");
    agent.finish(name("a") + "/attempts/1");

    assertThat(c.getSpec().getPriority()).isEqualTo(5);
    assertThat(job("c").getState()).isEqualTo(JobState.JOB_STATE_SCHEDULED);
    assertThat(job("b").getState()).isEqualTo(JobState.JOB_STATE_RUNNABLE);
    assertThat(server.store().audit(AuditQuery.newest(1)).items().get(0).event())
        .satisfies(
            event -> {
              assertThat(event.action()).isEqualTo("UPDATE_JOB_PRIORITY");
              assertThat(event.before()).isEqualTo("0");
              assertThat(event.after()).isEqualTo("5");
            });
  }

  @Test
  void priorityIsRequiredAndInRange() {
    assertThat(
            ErrorInfos.fields(
                server.error(
                    server
                        .jobs()
                        .updateJobPriority(
                            UpdateJobPriorityRequest.newBuilder().setName(name("a")).build()))))
        .containsExactly("priority");
    assertThat(
            ErrorInfos.fields(
                server.error(server.jobs().updateJobPriority(priority("a", 10_000).build()))))
        .containsExactly("priority");
  }

  @Test
  void etagDetectsAChange() {
    Job before = submit("a", "lender", 2);
    Job read = job("a");
    assertThat(before.getEtag()).isEqualTo(read.getEtag());
    server.answer(
        server.jobs().updateJobPriority(priority("a", 1).setEtag(read.getEtag()).build()));

    StatusRuntimeException error =
        server.error(
            server.jobs().updateJobPriority(priority("a", 2).setEtag(read.getEtag()).build()));

    assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.ABORTED);
    assertThat(ErrorInfos.reason(error)).isEqualTo("ETAG_MISMATCH");
    assertThat(job("a").getSpec().getPriority()).isEqualTo(1);
  }

  @Test
  void waitingJobIsCancelledAtOnce() {
    submit("a", "lender", 2);
    submit("b", "lender", 2);

    Job cancelled =
        server
            .answer(
                server
                    .jobs()
                    .cancelJob(
                        CancelJobRequest.newBuilder()
                            .setName(name("b"))
                            .setReason("not needed")
                            .build()))
            .getJob();

    assertThat(cancelled.getState()).isEqualTo(JobState.JOB_STATE_CANCELLED);
    assertThat(cancelled.getEndReason()).contains("not needed");
    assertThat(cancelled.hasEndedAt()).isTrue();
  }

  @Test
  void runningJobIsCancelledByTheStopLadder() {
    submit("a", "lender", 2);
    agent.run(name("a") + "/attempts/1");

    server.answer(
        server.jobs().cancelJob(CancelJobRequest.newBuilder().setName(name("a")).build()));
    assertThat(job("a").getState()).isEqualTo(JobState.JOB_STATE_STOPPING);
    assertThat(agent.stops()).hasSize(1);
    agent.stopped(name("a") + "/attempts/1");

    assertThat(job("a").getState()).isEqualTo(JobState.JOB_STATE_CANCELLED);
  }

  @Test
  void reasonOfACancellationIsShort() {
    StatusRuntimeException error =
        server.error(
            server
                .jobs()
                .cancelJob(
                    CancelJobRequest.newBuilder()
                        .setName(name("a"))
                        .setReason("x".repeat(513))
                        .build()));

    assertThat(ErrorInfos.fields(error)).containsExactly("reason");
  }

  @Test
  void explanationSaysWhyAJobWaits() {
    submit("a", "lender", 2);
    submit("b", "lender", 2);

    ExplainJobResponse explanation =
        server.answer(
            server.jobs().explainJob(ExplainJobRequest.newBuilder().setName(name("b")).build()));

    assertThat(explanation.getSummary()).isNotEmpty();
    assertThat(explanation.getJob().getName()).isEqualTo(name("b"));
    assertThat(
            server
                .error(
                    server
                        .jobs()
                        .explainJob(ExplainJobRequest.newBuilder().setName(name("x")).build()))
                .getStatus()
                .getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void attemptsComePageByPage() {
    SubmitJobRequest.Builder request = Policies.submit("a", "lender", 1);
    request.getSpecBuilder().setRetries(2);
    server.answer(server.jobs().submitJob(request.build()));
    for (int i = 1; i <= 3; i++) {
      String attempt = name("a") + "/attempts/" + i;
      agent.run(attempt);
      agent.fail(attempt, 7);
      server.advance(1_000);
      agent.heartbeat();
    }
    assertThat(job("a").getState()).isEqualTo(JobState.JOB_STATE_FAILED);

    var first =
        server.answer(
            server
                .jobs()
                .listAttempts(
                    ListAttemptsRequest.newBuilder().setParent(name("a")).setPageSize(2).build()));
    var second =
        server.answer(
            server
                .jobs()
                .listAttempts(
                    ListAttemptsRequest.newBuilder()
                        .setParent(name("a"))
                        .setPageSize(2)
                        .setPageToken(first.getNextPageToken())
                        .build()));

    assertThat(first.getAttemptsList())
        .extracting(io.quotashare.proto.v1.Attempt::getName)
        .containsExactly(name("a") + "/attempts/1", name("a") + "/attempts/2");
    assertThat(second.getAttemptsList())
        .singleElement()
        .satisfies(
            attempt -> {
              assertThat(attempt.getExitCode()).isEqualTo(7);
              assertThat(attempt.getState()).isEqualTo(JobState.JOB_STATE_FAILED);
            });
    assertThat(second.getNextPageToken()).isEmpty();
  }

  private Job submit(String id, String share, int gpus) {
    return server
        .answer(server.jobs().submitJob(Policies.submit(id, share, gpus).build()))
        .getJob();
  }

  private Job job(String id) {
    return server
        .answer(server.jobs().getJob(GetJobRequest.newBuilder().setName(name(id)).build()))
        .getJob();
  }

  private static UpdateJobPriorityRequest.Builder priority(String id, int priority) {
    return UpdateJobPriorityRequest.newBuilder().setName(name(id)).setPriority(priority);
  }

  private static ListJobsRequest.Builder all() {
    return ListJobsRequest.newBuilder().setParent(PARENT);
  }

  private List<String> list(ListJobsRequest.Builder request) {
    return server.answer(server.jobs().listJobs(request.build())).getJobsList().stream()
        .map(job -> job.getName().substring(21))
        .toList();
  }

  private static String name(String id) {
    return PARENT + "/jobs/" + id;
  }
}
