package io.quotashare.cli.shares;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.quotashare.cli.CliRunner;
import io.quotashare.cli.ExitCode;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.ApplyPolicyResponse;
import io.quotashare.proto.v1.PlanPolicyRequest;
import io.quotashare.proto.v1.PlanPolicyResponse;
import io.quotashare.proto.v1.PlannedVictim;
import io.quotashare.proto.v1.PreemptionCause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanCommandTest {
  private final CliRunner cli = new CliRunner();

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void writePolicy() throws IOException {
    file = folder.resolve("policy.yaml");
    Files.writeString(
        file,
        "queues: [{name: q, shares: [{name: a, capacity: {H100: 1}, strategy: LEND,"
            + " inSharePreemption: false}]}]\n");
  }

  @AfterEach
  void close() {
    cli.close();
  }

  private static PlanPolicyResponse.Builder plan() {
    return PlanPolicyResponse.newBuilder()
        .setChanges(
            ApplyPolicyResponse.newBuilder()
                .addUpdated("queues/q/shares/a")
                .addRemoved("queues/q/shares/old")
                .addWarnings("2 GPUs are guaranteed, 1 exists"))
        .addWouldStart("queues/q/jobs/j-9")
        .setWouldWait(3);
  }

  @Test
  void aPlanThatStopsNobodyIsGood() {
    cli.scheduler.queues.policyPlan = plan().build();

    CliRunner.Result result = cli.run("plan", "-f", file.toString(), "--prune", "--drain-now");

    assertThat(result)
        .isEqualTo(
            new CliRunner.Result(
                ExitCode.OK,
                """
                changed    queues/q/shares/a
                removed    queues/q/shares/old

                would start   queues/q/jobs/j-9
                in all: 1 job would start, 0 jobs would be stopped, 0 jobs would be cancelled, 3 jobs would still wait
                """,
                "warning: 2 GPUs are guaranteed, 1 exists\n"));
    PlanPolicyRequest sent = cli.scheduler.requests(PlanPolicyRequest.class).get(0);
    assertThat(sent.getPrune()).isTrue();
    assertThat(sent.getDrainNow()).isTrue();
    assertThat(cli.scheduler.requests(ApplyPolicyRequest.class)).isEmpty();
  }

  @Test
  void aPlanThatStopsSomebodyIsNotSo() {
    cli.scheduler.queues.policyPlan =
        plan()
            .addWouldStop(
                PlannedVictim.newBuilder()
                    .setJob("queues/q/jobs/j-1")
                    .setShare("a")
                    .setCause(PreemptionCause.PREEMPTION_CAUSE_CAPACITY_LOWERED)
                    .setGpus(4)
                    .setCostDeviceSeconds(100))
            .build();

    CliRunner.Result result = cli.run("plan", "-f", file.toString());

    assertThat(result.code()).isEqualTo(ExitCode.NOT_SO);
    assertThat(result.out())
        .contains("j-1         a      CAPACITY_LOWERED  -       4        100.0\n")
        .contains("1 job would be stopped");
    assertThat(cli.run("plan", "-f", file.toString(), "-o", "name").out())
        .isEqualTo("queues/q/jobs/j-1\n");
    assertThat(cli.run("plan", "-f", file.toString(), "-o", "json").out())
        .contains("\"wouldWait\": 3");
  }

  @Test
  void aPlanThatCancelsSomebodyIsNotSo() {
    cli.scheduler.queues.policyPlan =
        plan().addWouldCancel("queues/q/jobs/j-2").setUnlistedJobs(7).build();

    CliRunner.Result result = cli.run("plan", "-f", file.toString());

    assertThat(result.code()).isEqualTo(ExitCode.NOT_SO);
    assertThat(result.out())
        .contains("would cancel  queues/q/jobs/j-2\n")
        .endsWith("3 jobs would still wait; and 7 jobs of the first three, not listed here\n");
  }

  @Test
  void whatTheSchedulerFindsWrongWithTheFileIsUsage() throws IOException {
    cli.scheduler.failNext(
        PlanPolicyRequest.class,
        FakeScheduler.failure(
            Status.Code.INVALID_ARGUMENT,
            "the policy is not valid",
            "INVALID_FIELD",
            "queues[0].queue.node_selector",
            "overlaps with queue p"));

    CliRunner.Result result = cli.run("plan", "-f", file.toString());

    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err())
        .isEqualTo(
            "quotashare: "
                + file
                + ": the policy is not valid; queues[0].queue.node_selector: overlaps with queue"
                + " p\n");
    Files.writeString(file, "queues: 7\n");
    assertThat(cli.run("plan", "-f", file.toString()).code()).isEqualTo(ExitCode.USAGE);
  }
}
