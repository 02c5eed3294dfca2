package io.quotashare.server.shares;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.ListLoansRequest;
import io.quotashare.proto.v1.Loan;
import io.quotashare.proto.v1.LoanVictim;
import io.quotashare.proto.v1.PlanPolicyRequest;
import io.quotashare.proto.v1.PlanPolicyResponse;
import io.quotashare.proto.v1.PlannedVictim;
import io.quotashare.proto.v1.PreemptionCause;
import io.quotashare.server.DeepDump;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.dryrun.DryRunLimits;
import io.quotashare.server.dryrun.DryRuns;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** PlanPolicy, the victims of ListLoans, and the bounds of all dry runs. */
class PlanPolicyTest {
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
  void loweredLimitWithDrainNowNamesWhoWouldBeStopped() {
    run("a", "lender", 1);
    run("b", "lender", 1);
    ApplyPolicyRequest.Builder lower = Policies.lenderAndBorrower().toBuilder();
    lower.getQueuesBuilder(0).getSharesBuilder(0).putCapacity("H100", 1);
    String before = state();

    PlanPolicyResponse later = plan(lower, false, false);
    PlanPolicyResponse now = plan(lower, true, false);

    assertThat(later.getChanges().getUpdatedList())
        .containsExactly("queues/research/shares/lender");
    assertThat(later.getWouldStopCount()).isZero();
    assertThat(now.getWouldStopList())
        .singleElement()
        .satisfies(
            victim -> {
              assertThat(victim.getJob()).isEqualTo("queues/research/jobs/b");
              assertThat(victim.getCause())
                  .isEqualTo(PreemptionCause.PREEMPTION_CAUSE_CAPACITY_LOWERED);
              assertThat(victim.getCostDeviceSeconds()).isPositive();
            });
    assertThat(state()).isEqualTo(before);
    assertThat(agent.stops()).isEmpty();

    server.answer(server.shares().applyPolicy(lower.setDrainNow(true).build()));
    assertThat(jobState("b")).isEqualTo(JobState.JOB_STATE_PREEMPTING);
  }

  @Test
  void raisedLimitNamesWhoWouldStartAndWhoWouldStillWait() {
    run("a", "lender", 2);
    submit("b", "lender", 1);
    submit("c", "lender", 1);
    assertThat(jobState("b")).isEqualTo(JobState.JOB_STATE_RUNNABLE);
    ApplyPolicyRequest.Builder raise = Policies.lenderAndBorrower().toBuilder();
    raise.getQueuesBuilder(0).getSharesBuilder(0).putCapacity("H100", 3);

    PlanPolicyResponse plan = plan(raise, false, false);

    assertThat(plan.getWouldStartList()).containsExactly("queues/research/jobs/b");
    assertThat(plan.getWouldWait()).isEqualTo(1);
    assertThat(plan.getChanges().getWarningsList()).isNotEmpty();
    assertThat(jobState("b")).isEqualTo(JobState.JOB_STATE_RUNNABLE);
  }

  @Test
  void pruneNamesWhatWouldBeRemovedAndWhoCancelled() {
    run("a", "borrower", 3);
    submit("b", "borrower", 1);
    ApplyPolicyRequest.Builder rest = Policies.lenderAndBorrower().toBuilder();
    rest.getQueuesBuilder(0).removeShares(1);

    PlanPolicyResponse kept = plan(rest, false, false);
    PlanPolicyResponse pruned = plan(rest, false, true);

    assertThat(kept.getChanges().getUnmanagedList())
        .containsExactly("queues/research/shares/borrower");
    assertThat(kept.getWouldCancelCount()).isZero();
    assertThat(pruned.getChanges().getRemovedList())
        .containsExactly("queues/research/shares/borrower");
    assertThat(pruned.getWouldCancelList())
        .containsExactlyInAnyOrder("queues/research/jobs/a", "queues/research/jobs/b");
    assertThat(jobState("a")).isEqualTo(JobState.JOB_STATE_RUNNING);
  }

  @Test
  void policyThatWouldBeRefusedIsRefusedAlike() {
    ApplyPolicyRequest.Builder bad = Policies.lenderAndBorrower().toBuilder();
    bad.getQueuesBuilder(0).getSharesBuilder(0).clearStrategy();
    ApplyPolicyRequest.Builder sameSelector = Policies.lenderAndBorrower().toBuilder();
    sameSelector.getQueuesBuilder(0).clearShares().getQueueBuilder().setName("queues/second");
    for (ApplyPolicyRequest.Builder policy : List.of(bad, sameSelector)) {
      StatusRuntimeException applied =
          server.error(server.shares().applyPolicy(policy.setValidateOnly(true).build()));
      StatusRuntimeException planned =
          server.error(
              server
                  .shares()
                  .planPolicy(
                      PlanPolicyRequest.newBuilder().addAllQueues(policy.getQueuesList()).build()));

      assertThat(ErrorInfos.info(planned)).isEqualTo(ErrorInfos.info(applied));
      assertThat(planned.getMessage()).isEqualTo(applied.getMessage());
    }
  }

  // Loans

  @Test
  void loanNamesWhomTheLenderWouldStopWithTheirLostWork() {
    run("early", "borrower", 1);
    server.advance(10_000);
    agent.heartbeat();
    run("late", "borrower", 2);
    server.advance(5_000);
    agent.heartbeat();
    String before = state();

    List<Loan> loans = loans();

    assertThat(loans)
        .singleElement()
        .satisfies(
            loan -> {
              assertThat(loan.getLender()).isEqualTo("lender");
              assertThat(loan.getGpus()).isEqualTo(2);
              assertThat(loan.getWouldStopList())
                  .singleElement()
                  .satisfies(
                      victim -> {
                        assertThat(victim.getJob()).isEqualTo("late");
                        assertThat(victim.getGpus()).isEqualTo(2);
                        assertThat(victim.hasCheckpointStateTime()).isFalse();
                        assertThat(victim.getLostDeviceSeconds()).isEqualTo(2 * 6.0);
                      });
            });
    assertThat(state()).isEqualTo(before);

    submit("owner", "lender", 2);
    assertThat(agent.stops())
        .singleElement()
        .satisfies(stop -> assertThat(stop.getAttempt()).contains("/jobs/late/"));
  }

  @Test
  void devicesOfNobodyCostNobody() {
    new FakeAgent(server, "n2", 2).join();
    run("owner", "lender", 2);
    submit("a", "borrower", 3);

    assertThat(loans())
        .singleElement()
        .satisfies(
            loan -> {
              assertThat(loan.getLender()).isEqualTo("(unassigned)");
              assertThat(loan.getWouldStopList()).extracting(LoanVictim::getJob).isEmpty();
            });
  }

  // Bounds

  @Test
  void dryRunsGoOnOneAfterTheOtherWithinTheirBounds() {
    ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    DryRuns runs =
        new DryRuns(server.engine(), server.clock(), new DryRunLimits(2, 1_000, 5_000), tasks::add);
    CompletableFuture<Long> first = runs.run((copy, now) -> now);
    CompletableFuture<Long> second = runs.run((copy, now) -> now);

    assertThat(reason(() -> runs.run((copy, now) -> now).join())).isEqualTo("TOO_MANY_DRY_RUNS");
    server.settle();
    assertThat(tasks).as("one copy at a time").hasSize(1);
    tasks.remove().run();
    assertThat(first).isCompleted();
    assertThat(second).isNotDone();
    server.settle();
    tasks.remove().run();
    assertThat(second).isCompleted();
    assertThat(runs.size()).isZero();
  }

  @Test
  void dryRunThatIsTooSlowFailsAndTheNextGoesOn() {
    ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    DryRuns runs =
        new DryRuns(server.engine(), server.clock(), new DryRunLimits(2, 1_000, 5_000), tasks::add);
    CompletableFuture<Long> slow = runs.run((copy, now) -> now);
    server.settle();
    runs.tick(server.clock().monotonicNanos());
    assertThat(slow).isNotDone();
    server.clock().advance(5_000);

    runs.tick(server.clock().monotonicNanos());

    assertThat(reason(slow::join)).isEqualTo("DRY_RUN_TOO_SLOW");
    tasks.remove().run();
    CompletableFuture<Long> next = runs.run((copy, now) -> now);
    server.settle();
    tasks.remove().run();
    assertThat(next).isCompleted();
  }

  @Test
  void stateThatIsTooLargeIsNotCopied() {
    DryRuns runs =
        new DryRuns(server.engine(), server.clock(), new DryRunLimits(2, 2, 5_000), Runnable::run);
    CompletableFuture<Long> run = runs.run((copy, now) -> now);
    server.settle();

    assertThat(reason(run::join)).isEqualTo("STATE_TOO_LARGE");
    assertThat(runs.size()).isZero();
  }

  private static String reason(Runnable call) {
    try {
      call.run();
    } catch (StatusRuntimeException e) {
      return ErrorInfos.reason(e);
    } catch (CompletionException e) {
      return ErrorInfos.reason((StatusRuntimeException) e.getCause());
    }
    throw new AssertionError("not refused");
  }

  @Test
  void loansOfAnUnknownQueueAreNotFound() {
    StatusRuntimeException error =
        server.error(
            server.shares().listLoans(ListLoansRequest.newBuilder().setParent("queues/x").build()));

    assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
  }

  private PlanPolicyResponse plan(ApplyPolicyRequest.Builder policy, boolean drain, boolean prune) {
    PlanPolicyResponse response =
        server.answer(
            server
                .shares()
                .planPolicy(
                    PlanPolicyRequest.newBuilder()
                        .addAllQueues(policy.getQueuesList())
                        .setDrainNow(drain)
                        .setPrune(prune)
                        .build()));
    assertThat(response.getWouldStopList()).extracting(PlannedVictim::getShare).doesNotContain("");
    return response;
  }

  private List<Loan> loans() {
    return server
        .answer(
            server
                .shares()
                .listLoans(ListLoansRequest.newBuilder().setParent("queues/research").build()))
        .getLoansList();
  }

  private void submit(String id, String share, int gpus) {
    server.answer(server.jobs().submitJob(Policies.submit(id, share, gpus).build()));
    server.settle();
  }

  private void run(String id, String share, int gpus) {
    submit(id, share, gpus);
    agent.run("queues/research/jobs/" + id + "/attempts/1");
    server.advance(1_000);
  }

  private JobState jobState(String id) {
    return server
        .answer(
            server
                .jobs()
                .getJob(GetJobRequest.newBuilder().setName("queues/research/jobs/" + id).build()))
        .getJob()
        .getState();
  }

  private String state() {
    CompletableFuture<String> inMemory =
        server.engine().call(step -> decided -> DeepDump.of(decided.scheduler()));
    server.settle();
    return DeepDump.of(server.store()) + inMemory.join();
  }
}
