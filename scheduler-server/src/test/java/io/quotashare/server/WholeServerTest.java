package io.quotashare.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.Progress;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.GetQueueSnapshotRequest;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.ListAttemptsRequest;
import io.quotashare.proto.v1.ListLoansRequest;
import io.quotashare.proto.v1.ListPreemptionsRequest;
import io.quotashare.proto.v1.PoolUsage;
import io.quotashare.proto.v1.Preemption;
import io.quotashare.proto.v1.PreemptionCause;
import io.quotashare.proto.v1.SubmitJobResponse;
import io.quotashare.server.store.AuditQuery;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs on their way through a whole scheduler, with agents that do as the test says. */
class WholeServerTest {
  private static final String PARENT = "queues/research";
  private static final String LOAN = "queues/research/jobs/loan/attempts/1";

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
  void jobRunsToItsEnd() {
    SubmitJobResponse submitted = server.answer(server.jobs().submitJob(submit("a", "lender", 2)));

    assertThat(submitted.getJob().getName()).isEqualTo("queues/research/jobs/a");
    assertThat(submitted.getJob().getState()).isEqualTo(JobState.JOB_STATE_SCHEDULED);
    assertThat(agent.starts()).hasSize(1);
    var start = agent.starts().get(0);
    assertThat(start.getAttempt()).isEqualTo("queues/research/jobs/a/attempts/1");
    assertThat(start.getCommandList()).containsExactly("/bin/train");
    assertThat(start.getDeviceUuidsList()).hasSize(2);
    assertThat(start.getMasterAddress()).isEqualTo("n1.example");
    assertThat(start.getMasterPort()).isBetween(20_000, 29_999);
    assertThat(start.getLostAfter().getSeconds()).isEqualTo(300);
    assertThat(start.getResume()).isFalse();

    agent.run(start.getAttempt());
    assertThat(job("a").getState()).isEqualTo(JobState.JOB_STATE_RUNNING);

    agent.finish(start.getAttempt());
    Job done = job("a");
    assertThat(done.getState()).isEqualTo(JobState.JOB_STATE_SUCCEEDED);
    assertThat(done.getLatestAttempt().getExitCode()).isZero();
    assertThat(agent.acks()).hasSize(4);
  }

  @Test
  void idleDevicesAreLentAndShownAsLent() {
    runLoan();

    assertThat(
            server
                .answer(
                    server
                        .shares()
                        .listLoans(ListLoansRequest.newBuilder().setParent(PARENT).build()))
                .getLoansList())
        .singleElement()
        .satisfies(
            loan -> {
              assertThat(loan.getLender()).isEqualTo("lender");
              assertThat(loan.getBorrower()).isEqualTo("borrower");
              assertThat(loan.getGpus()).isEqualTo(2);
            });
  }

  @Test
  void lenderGetsItsDevicesBack() {
    runLoan();
    server.answer(server.jobs().submitJob(submit("own", "lender", 2)));

    assertThat(job("loan").getState()).isEqualTo(JobState.JOB_STATE_PREEMPTING);
    assertThat(agent.stops())
        .singleElement()
        .satisfies(
            stop -> {
              assertThat(stop.getAttempt()).isEqualTo(LOAN);
              assertThat(stop.getTimeLeft().getSeconds()).isEqualTo(60);
            });
    assertThat(agent.starts()).hasSize(1);

    agent.stopped(LOAN);

    assertThat(agent.starts()).hasSize(2);
    assertThat(agent.starts().get(1).getAttempt()).isEqualTo("queues/research/jobs/own/attempts/1");
    assertThat(job("loan").getState()).isEqualTo(JobState.JOB_STATE_RUNNABLE);
  }

  @Test
  void preemptionIsRecordedAndAuditedOnce() {
    lenderGetsItsDevicesBack();

    assertThat(preemptions())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.getJob()).isEqualTo("queues/research/jobs/loan");
              assertThat(p.getBeneficiaryJob()).isEqualTo("own");
              assertThat(p.getCause()).isEqualTo(PreemptionCause.PREEMPTION_CAUSE_RECLAIM);
              assertThat(p.getGpus()).isEqualTo(3);
              assertThat(p.hasFreedAt()).isTrue();
            });
    assertThat(
            server.store().audit(AuditQuery.newest(100)).items().stream()
                .filter(record -> record.event().action().equals("PREEMPT")))
        .hasSize(1);
  }

  private void runLoan() {
    server.answer(server.jobs().submitJob(submit("loan", "borrower", 3)));
    agent.run(LOAN);
    agent.report(
        agent
            .status(LOAN, AttemptPhase.ATTEMPT_PHASE_RUNNING)
            .setProgress(
                Progress.newBuilder()
                    .setStep(7)
                    .setCheckpointStep(5)
                    .setCheckpointStateTime(agent.now())
                    .setCheckpointDurableTime(agent.now())));
    server.advance(2_000);
    agent.heartbeat();
  }

  @Test
  void resumedJobIsAnotherAttempt() {
    lenderGetsItsDevicesBack();
    String own = agent.starts().get(1).getAttempt();
    agent.run(own);
    agent.finish(own);

    var again = agent.starts().get(2);
    assertThat(again.getAttempt()).isEqualTo("queues/research/jobs/loan/attempts/2");
    assertThat(again.getResume()).isTrue();
    agent.run(again.getAttempt());
    agent.finish(again.getAttempt());

    assertThat(job("loan").getState()).isEqualTo(JobState.JOB_STATE_SUCCEEDED);
    assertThat(
            server
                .answer(
                    server
                        .jobs()
                        .listAttempts(
                            ListAttemptsRequest.newBuilder()
                                .setParent("queues/research/jobs/loan")
                                .build()))
                .getAttemptsList())
        .extracting(io.quotashare.proto.v1.Attempt::getState)
        .containsExactly(JobState.JOB_STATE_RUNNABLE, JobState.JOB_STATE_SUCCEEDED);
  }

  @Test
  void idleSchedulerWritesNothing() {
    server.answer(server.jobs().submitJob(submit("a", "lender", 2)));
    agent.run("queues/research/jobs/a/attempts/1");
    long revision = server.store().lastCommit().revision();

    for (int i = 0; i < 60; i++) {
      server.advance(1_000);
      agent.heartbeat();
    }

    assertThat(server.store().lastCommit().revision()).isEqualTo(revision);
  }

  @Test
  void snapshotAddsUp() {
    server.answer(server.jobs().submitJob(submit("a", "borrower", 2)));

    var snapshot =
        server.answer(
            server
                .queues()
                .getQueueSnapshot(GetQueueSnapshotRequest.newBuilder().setName(PARENT).build()));

    PoolUsage pool = snapshot.getPools(0);
    assertThat(pool.getTotal()).isEqualTo(3);
    assertThat(
            pool.getHeld()
                + pool.getHeldForBeneficiary()
                + pool.getReservedIdle()
                + pool.getFree()
                + pool.getOutside()
                + pool.getUnhealthy())
        .isEqualTo(pool.getTotal());
    assertThat(pool.getHeld()).isEqualTo(2);
  }

  private java.util.List<Preemption> preemptions() {
    return server
        .answer(
            server
                .queues()
                .listPreemptions(ListPreemptionsRequest.newBuilder().setParent(PARENT).build()))
        .getPreemptionsList();
  }

  private static io.quotashare.proto.v1.SubmitJobRequest submit(String id, String share, int gpus) {
    return Policies.submit(id, share, gpus).build();
  }

  private Job job(String id) {
    return server
        .answer(
            server
                .jobs()
                .getJob(GetJobRequest.newBuilder().setName(PARENT + "/jobs/" + id).build()))
        .getJob();
  }
}
