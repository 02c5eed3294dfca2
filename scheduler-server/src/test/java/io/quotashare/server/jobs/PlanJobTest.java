package io.quotashare.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import io.quotashare.proto.v1.JobSpec;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.PlanJobRequest;
import io.quotashare.proto.v1.PlanJobResponse;
import io.quotashare.proto.v1.PreemptionCause;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.WaitingReason;
import io.quotashare.server.DeepDump;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlanJobTest {
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
  void jobThatWouldStartIsShownWhereAndOnWhoseDevices() {
    PlanJobResponse plan = plan(Policies.spec("borrower", 2));

    assertThat(plan.getJob().getState()).isEqualTo(JobState.JOB_STATE_SCHEDULED);
    assertThat(plan.getJob().getSpec().getUnit()).isEqualTo("H100");
    assertThat(plan.getPlacementList())
        .singleElement()
        .satisfies(
            place -> {
              assertThat(place.getNode()).isEqualTo("n1");
              assertThat(place.getDeviceUuidsList()).containsExactly("GPU-n1-0", "GPU-n1-1");
            });
    assertThat(plan.getOwnDevices()).isEqualTo(1);
    assertThat(plan.getBorrowedDevices()).isEqualTo(1);
    assertThat(plan.getVictimsCount()).isZero();
    assertThat(plan.getSummary())
        .isEqualTo(
            "The job (borrower, 2 GPUs, priority 0) would start at once on n1: 1 own, 1 borrowed.");
  }

  @Test
  void jobThatWouldStopOthersNamesThemWithTheirCost() {
    submit("a", "borrower", 3);
    agent.run("queues/research/jobs/a/attempts/1");
    server.advance(5_000);
    agent.heartbeat();
    String before = state();

    PlanJobResponse plan = plan(Policies.spec("lender", 2));

    assertThat(plan.getJob().getState()).isEqualTo(JobState.JOB_STATE_RUNNABLE);
    assertThat(plan.getJob().getWaiting().getReason())
        .isEqualTo(WaitingReason.WAITING_REASON_WAITING_FOR_PREEMPTION);
    assertThat(plan.getPlacementCount()).isZero();
    assertThat(plan.getOwnDevices()).isEqualTo(2);
    assertThat(plan.getBorrowedDevices()).isZero();
    assertThat(plan.getVictimsList())
        .singleElement()
        .satisfies(
            victim -> {
              assertThat(victim.getJob()).isEqualTo("queues/research/jobs/a");
              assertThat(victim.getShare()).isEqualTo("borrower");
              assertThat(victim.getCause()).isEqualTo(PreemptionCause.PREEMPTION_CAUSE_RECLAIM);
              assertThat(victim.getBeneficiaryJob()).isEmpty();
              assertThat(victim.getGpus()).isEqualTo(3);
              assertThat(victim.getCostDeviceSeconds()).isEqualTo(3 * (5 + 180.0));
            });
    assertThat(plan.getSummary())
        .contains("would start on n1 once 1 job has stopped for it, 60 s from now at the latest");
    assertThat(plan.getDetails(0)).contains("a of share borrower would be stopped (RECLAIM)");
    assertThat(state()).isEqualTo(before);
    assertThat(agent.stops()).isEmpty();

    submit("b", "lender", 2);
    server.settle();
    assertThat(agent.stops()).hasSize(1);
  }

  @Test
  void jobThatWouldWaitSaysWhy() {
    submit("a", "lender", 2);

    PlanJobResponse plan = plan(Policies.spec("lender", 1));

    assertThat(plan.getJob().getWaiting().getReason())
        .isEqualTo(WaitingReason.WAITING_REASON_SHARE_AT_LIMIT);
    assertThat(plan.getSummary()).contains("would wait: SHARE_AT_LIMIT");
    assertThat(plan.getDetailsList()).anyMatch(detail -> detail.contains("LEND never borrows"));
    assertThat(plan.getOwnDevices() + plan.getBorrowedDevices()).isZero();
  }

  @Test
  void planningWritesNothingAndTellsNobody() {
    String before = state();

    for (int i = 0; i < 3; i++) {
      plan(Policies.spec("borrower", 2));
    }

    assertThat(state()).isEqualTo(before);
    assertThat(agent.starts()).isEmpty();
    assertThat(server.readModel().current().jobs().size()).isZero();
  }

  static Stream<Consumer<JobSpec.Builder>> refusals() {
    return Stream.of(
        spec -> spec.setGpus(4),
        spec -> spec.setGpus(3),
        spec -> spec.setGpus(0),
        spec -> spec.setShare("queues/research/shares/nobody"),
        spec -> spec.setShare("lender"),
        spec -> spec.setUnit("A100").setGpus(5),
        spec -> spec.setPriority(10_000),
        spec -> spec.clearCommand());
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void planAndDrySubmissionRefuseAlike(Consumer<JobSpec.Builder> change) {
    JobSpec.Builder spec = Policies.spec("lender", 1);
    change.accept(spec);
    SubmitJobRequest submission =
        SubmitJobRequest.newBuilder()
            .setParent("queues/research")
            .setSpec(spec)
            .setValidateOnly(true)
            .build();

    StatusRuntimeException ofPlan = server.error(server.jobs().planJob(request(spec)));
    StatusRuntimeException ofSubmission = server.error(server.jobs().submitJob(submission));

    assertThat(ofPlan.getStatus().getCode()).isEqualTo(ofSubmission.getStatus().getCode());
    assertThat(ErrorInfos.info(ofPlan)).isEqualTo(ErrorInfos.info(ofSubmission));
    assertThat(ofPlan.getMessage()).isEqualTo(ofSubmission.getMessage());
  }

  private String state() {
    CompletableFuture<String> inMemory =
        server.engine().call(step -> decided -> DeepDump.of(decided.scheduler()));
    server.settle();
    return DeepDump.of(server.store()) + inMemory.join();
  }

  private void submit(String id, String share, int gpus) {
    server.answer(server.jobs().submitJob(Policies.submit(id, share, gpus).build()));
  }

  private static PlanJobRequest request(JobSpec.Builder spec) {
    return PlanJobRequest.newBuilder().setParent("queues/research").setSpec(spec).build();
  }

  private PlanJobResponse plan(JobSpec.Builder spec) {
    return server.answer(server.jobs().planJob(request(spec)));
  }
}
