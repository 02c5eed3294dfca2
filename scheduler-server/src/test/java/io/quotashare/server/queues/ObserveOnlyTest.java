package io.quotashare.server.queues;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.ExplainJobRequest;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.GetQueueRequest;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.ListPreemptionsRequest;
import io.quotashare.proto.v1.Preemption;
import io.quotashare.proto.v1.PreemptionCause;
import io.quotashare.proto.v1.PreemptionMode;
import io.quotashare.proto.v1.WaitingReason;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.store.AuditQuery;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A queue that only observes, as its users see it. */
class ObserveOnlyTest {
  private static final String LOAN = "queues/research/jobs/loan/attempts/1";

  private TestServer server = TestServer.create();
  private FakeAgent agent;

  @AfterEach
  void stop() {
    server.close();
  }

  private void begin() {
    server.answer(server.shares().applyPolicy(policy(PreemptionMode.PREEMPTION_MODE_OBSERVE_ONLY)));
    agent = new FakeAgent(server, "n1", 3).join();
    server.answer(server.jobs().submitJob(Policies.submit("loan", "borrower", 3).build()));
    agent.run(LOAN);
    server.answer(server.jobs().submitJob(Policies.submit("mine", "lender", 2).build()));
  }

  private static ApplyPolicyRequest policy(PreemptionMode mode) {
    ApplyPolicyRequest.Builder policy = Policies.lenderAndBorrower().toBuilder();
    policy.getQueuesBuilder(0).getQueueBuilder().setPreemptionMode(mode);
    return policy.build();
  }

  private Job job(String id) {
    return server
        .answer(
            server
                .jobs()
                .getJob(GetJobRequest.newBuilder().setName("queues/research/jobs/" + id).build()))
        .getJob();
  }

  private List<Preemption> preemptions() {
    return server
        .answer(
            server
                .queues()
                .listPreemptions(
                    ListPreemptionsRequest.newBuilder().setParent("queues/research").build()))
        .getPreemptionsList();
  }

  private long audited(String action) {
    return server.store().audit(AuditQuery.newest(100)).items().stream()
        .filter(entry -> entry.event().action().equals(action))
        .count();
  }

  @Test
  void whatWouldBeStoppedIsListedExplainedAndAuditedOnce() {
    begin();
    for (int i = 0; i < 5; i++) {
      server.advance(1_000);
      agent.heartbeat();
    }

    assertThat(job("loan").getState()).isEqualTo(JobState.JOB_STATE_RUNNING);
    assertThat(agent.stops()).isEmpty();
    assertThat(job("mine").getWaiting().getReason())
        .isEqualTo(WaitingReason.WAITING_REASON_OBSERVE_ONLY);
    assertThat(preemptions())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.getObservedOnly()).isTrue();
              assertThat(p.getJob()).isEqualTo("queues/research/jobs/loan");
              assertThat(p.getBeneficiaryJob()).isEqualTo("mine");
              assertThat(p.getCause()).isEqualTo(PreemptionCause.PREEMPTION_CAUSE_RECLAIM);
              assertThat(p.getGpus()).isEqualTo(3);
              assertThat(p.getExpectedCostDeviceSeconds()).isPositive();
              assertThat(p.hasDeadline()).isFalse();
              assertThat(p.hasFreedAt()).isFalse();
            });
    assertThat(
            server
                .answer(
                    server
                        .jobs()
                        .explainJob(
                            ExplainJobRequest.newBuilder()
                                .setName("queues/research/jobs/mine")
                                .build()))
                .getDetailsList())
        .anyMatch(d -> d.contains("It would stop loan"));
    assertThat(audited("WOULD_PREEMPT")).isEqualTo(1);
    assertThat(audited("PREEMPT")).isZero();
  }

  @Test
  void aRestartNeitherForgetsNorRepeats() {
    begin();
    server = server.restart();
    agent = new FakeAgent(server, "n1", 3);
    agent.register(
        agent
            .status(LOAN, io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_RUNNING)
            .build());
    server.advance(1_000);

    assertThat(preemptions()).hasSize(1);
    assertThat(audited("WOULD_PREEMPT")).isEqualTo(1);
    assertThat(job("mine").getWaiting().getReason())
        .isEqualTo(WaitingReason.WAITING_REASON_OBSERVE_ONLY);
    assertThat(
            server
                .answer(
                    server
                        .queues()
                        .getQueue(GetQueueRequest.newBuilder().setName("queues/research").build()))
                .getQueue()
                .getPreemptionMode())
        .isEqualTo(PreemptionMode.PREEMPTION_MODE_OBSERVE_ONLY);
  }

  @Test
  void enforcingStopsAtOnceAndBothAreListed() {
    begin();

    server.answer(server.shares().applyPolicy(policy(PreemptionMode.PREEMPTION_MODE_ENFORCE)));

    assertThat(job("loan").getState()).isEqualTo(JobState.JOB_STATE_PREEMPTING);
    assertThat(preemptions()).extracting(Preemption::getObservedOnly).containsExactly(false, true);
  }

  @Test
  void recordsAreRemovedInTime() {
    server.close();
    server = TestServer.with(ConfigKeys.KEEP_ENDED_JOBS, java.time.Duration.ofHours(1));
    begin();
    for (int i = 0; i < 650; i++) {
      server.advance(6_000);
      agent.heartbeat();
    }

    assertThat(preemptions()).isEmpty();
    assertThat(job("mine").getWaiting().getReason())
        .isEqualTo(WaitingReason.WAITING_REASON_OBSERVE_ONLY);
  }
}
