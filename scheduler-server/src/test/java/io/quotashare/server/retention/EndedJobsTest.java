package io.quotashare.server.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.quotashare.core.model.Job;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.ExplainJobRequest;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.ListAttemptsRequest;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.StreamJobLogsRequest;
import io.quotashare.proto.v1.StreamJobLogsResponse;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.store.AuditQuery;
import io.quotashare.server.store.MemoryStateStore.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of jobs that have ended, as callers see it. */
class EndedJobsTest {
  private static final long HOUR = 3_600_000;
  private static final String QUEUE = "queues/research";
  private static final String JOB = QUEUE + "/jobs/a";

  private TestServer server;
  private FakeAgent agent;

  @BeforeEach
  void start() {
    server =
        TestServer.create(
            ServerConfig.builder()
                .set(ConfigKeys.KEEP_ENDED_JOBS, Duration.ofHours(2))
                .set(ConfigKeys.MAX_ENDED_JOBS, 100));
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    agent = new FakeAgent(server, "n1", 3).join();
    agent.heartbeat();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static SubmitJobRequest submission(String id) {
    return Policies.submit(id, "lender", 1).build();
  }

  private void runToItsEnd(String id) {
    server.answer(server.jobs().submitJob(submission(id)));
    String attempt = "queues/research/jobs/" + id + "/attempts/1";
    agent.run(attempt);
    agent.finish(attempt);
  }

  /** Lets time pass, all at once and then for what falls due. */
  private void pass(long millis) {
    server.clock().advance(millis);
    server.settle();
    server.advance(Housekeeper.REST_MILLIS + 1_000);
  }

  private List<String> jobsOfTheCore() {
    return server.answerOf(
        step -> step.scheduler().jobs().stream().map(job -> job.key().id()).toList());
  }

  private StatusRuntimeException missing() {
    StatusRuntimeException error =
        server.error(server.jobs().getJob(GetJobRequest.newBuilder().setName(JOB).build()));
    assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    return error;
  }

  @Test
  void theCoreForgetsAJobWhoseEndIsDurable() {
    server.answer(server.jobs().submitJob(submission("a")));
    assertThat(jobsOfTheCore()).containsExactly("a");
    agent.run(JOB + "/attempts/1");
    agent.finish(JOB + "/attempts/1");

    assertThat(jobsOfTheCore()).isEmpty();
    assertThat(server.answer(server.jobs().getJob(get())).getJob().getState())
        .isEqualTo(JobState.JOB_STATE_SUCCEEDED);
  }

  private static GetJobRequest get() {
    return GetJobRequest.newBuilder().setName(JOB).build();
  }

  @Test
  void anEndedJobIsStillAnswered() {
    runToItsEnd("a");

    assertThat(
            server
                .answer(
                    server.jobs().listJobs(ListJobsRequest.newBuilder().setParent(QUEUE).build()))
                .getJobsList())
        .hasSize(1);
    assertThat(
            server
                .answer(
                    server
                        .jobs()
                        .listAttempts(ListAttemptsRequest.newBuilder().setParent(JOB).build()))
                .getAttemptsCount())
        .isEqualTo(1);
    assertThat(
            server
                .answer(
                    server.jobs().explainJob(ExplainJobRequest.newBuilder().setName(JOB).build()))
                .getSummary())
        .isEqualTo("a (lender, 1 GPU, priority 0) is SUCCEEDED: exited with 0");
    assertThat(
            server
                .answer(server.jobs().cancelJob(CancelJobRequest.newBuilder().setName(JOB).build()))
                .getJob()
                .getState())
        .as("cancelling it does nothing")
        .isEqualTo(JobState.JOB_STATE_SUCCEEDED);
    StatusRuntimeException late =
        server.error(
            server
                .jobs()
                .updateJobPriority(
                    UpdateJobPriorityRequest.newBuilder().setName(JOB).setPriority(7).build()));
    assertThat(ErrorInfos.reason(late)).isEqualTo("JOB_ENDED");
    StatusRuntimeException again = server.error(server.jobs().submitJob(submission("a")));
    assertThat(ErrorInfos.reason(again)).isEqualTo("JOB_EXISTS");
    agent.report(JOB + "/attempts/1", AttemptPhase.ATTEMPT_PHASE_FREE);
    assertThat(server.store().audit(AuditQuery.newest(10)).items())
        .as("a late report of its agent is no report of an unknown attempt")
        .noneMatch(entry -> entry.event().action().equals("UNKNOWN_ATTEMPT"));
  }

  @Test
  void anEndedJobIsGoneAfterItsTimeAndItsIdIsFree() {
    runToItsEnd("a");
    pass(HOUR);
    assertThat(server.answer(server.jobs().getJob(get())).hasJob()).isTrue();

    pass(HOUR);

    String rule = "ended jobs are kept for 2h, the newest 100 of them";
    assertThat(missing().getStatus().getDescription())
        .isEqualTo("job " + JOB + " does not exist (" + rule + ")");
    assertThat(
            server
                .error(server.jobs().cancelJob(CancelJobRequest.newBuilder().setName(JOB).build()))
                .getStatus()
                .getDescription())
        .contains(rule);
    assertThat(
            server
                .error(
                    server.jobs().explainJob(ExplainJobRequest.newBuilder().setName(JOB).build()))
                .getStatus()
                .getDescription())
        .contains(rule);
    assertThat(
            server
                .error(
                    server
                        .jobs()
                        .listAttempts(ListAttemptsRequest.newBuilder().setParent(JOB).build()))
                .getStatus()
                .getDescription())
        .contains(rule);
    assertThat(server.store().statistics().rows())
        .containsEntry("jobs", 0L)
        .containsEntry("attempts", 0L);

    server.answer(server.jobs().submitJob(submission("a")));
    assertThat(server.answer(server.jobs().getJob(get())).getJob().getState())
        .isNotEqualTo(JobState.JOB_STATE_SUCCEEDED);
  }

  /** An agent that was away for long reports an attempt whose job's id was given again. */
  @Test
  void aReportOfAnEarlierJobWithTheSameIdChangesNothing() {
    runToItsEnd("a");
    long first = agent.starts().get(0).getJobSequence();
    pass(3 * HOUR);
    agent.join();
    server.answer(server.jobs().submitJob(submission("a")));
    assertThat(agent.starts()).hasSize(2);
    assertThat(agent.starts().get(1).getJobSequence()).isGreaterThan(first);

    agent.report(
        agent.status(JOB + "/attempts/1", AttemptPhase.ATTEMPT_PHASE_FREE).setJobSequence(first));

    assertThat(server.answer(server.jobs().getJob(get())).getJob().getState())
        .isEqualTo(JobState.JOB_STATE_SCHEDULED);
    assertThat(agent.acks()).as("so that the agent forgets it").isNotEmpty();
    agent.run(JOB + "/attempts/1");
    assertThat(server.answer(server.jobs().getJob(get())).getJob().getState())
        .isEqualTo(JobState.JOB_STATE_RUNNING);
  }

  @Test
  void theOutputOfAJobThatIsGoneIsNotFound() {
    runToItsEnd("a");
    pass(3 * HOUR);

    Throwable[] ended = new Throwable[1];
    JobServiceGrpc.newStub(server.channel())
        .streamJobLogs(
            StreamJobLogsRequest.newBuilder().setName(JOB).build(),
            new StreamObserver<>() {
              @Override
              public void onNext(StreamJobLogsResponse value) {}

              @Override
              public void onError(Throwable cause) {
                ended[0] = cause;
              }

              @Override
              public void onCompleted() {}
            });

    assertThat(Status.fromThrowable(ended[0]).getCode()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(Status.fromThrowable(ended[0]).getDescription()).contains("are kept for 2h");
  }

  @Test
  void theOldestGoEarlyBeyondTheBound() {
    for (int i = 0; i < 130; i++) {
      runToItsEnd("j-" + i);
      server.clock().advance(1_000);
    }

    pass(0);

    List<String> kept = new ArrayList<>();
    server.readModel().current().jobs().values().forEach(view -> kept.add(view.job().key().id()));
    assertThat(kept).hasSize(100).contains("j-30", "j-129").doesNotContain("j-29");
  }

  @Test
  void theNextSchedulerGoesOn() {
    runToItsEnd("a");
    pass(HOUR);
    server = server.restart();
    assertThat(jobsOfTheCore()).isEmpty();
    assertThat(server.answer(server.jobs().getJob(get())).hasJob()).isTrue();
    assertThat(ErrorInfos.reason(server.error(server.jobs().submitJob(submission("a")))))
        .isEqualTo("JOB_EXISTS");

    pass(HOUR);

    missing();
  }

  /** A commit that removes fails: nothing is lost, and what is due is removed by a later one. */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"FULL", "BUSY", "UNKNOWN_WRITTEN", "UNKNOWN_LOST"})
  void aCommitThatFailsIsMadeUpFor(Fault fault) {
    runToItsEnd("a");
    runToItsEnd("b");
    server.advance(Housekeeper.REST_MILLIS);
    server.clock().advance(2 * HOUR);
    server.store().failNextCommit(fault);

    server.settle();
    server.advance(Housekeeper.REST_MILLIS + 2_000);

    missing();
    assertThat(server.store().statistics().rows()).containsEntry("jobs", 0L);
    assertThat(jobsOfTheCore()).isEmpty();
    TestServer next = server.restart();
    int inMemory = next.answerOf(step -> step.scheduler().jobs().size());
    assertThat(inMemory).isZero();
    server = next;
  }

  @Test
  void aJobThatWaitsIsKeptHoweverLong() {
    server.answer(
        server
            .jobs()
            .submitJob(
                Policies.submit("w", "lender", 3)
                    .setSpec(Policies.spec("lender", 3).setAllowInfeasible(true))
                    .build()));
    pass(100 * HOUR);

    Job waiting =
        server.answerOf(step -> step.scheduler().jobs().stream().findFirst().orElseThrow());
    assertThat(waiting.key().id()).isEqualTo("w");
  }
}
