package io.quotashare.cli.shares;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.quotashare.cli.CliRunner;
import io.quotashare.cli.ExitCode;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.ApplyPolicyResponse;
import io.quotashare.proto.v1.PlanPolicyResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a policy file does, and what is wrong with one. */
class ApplyCommandTest {
  private final CliRunner cli = new CliRunner();

  @TempDir private Path folder;

  @AfterEach
  void close() {
    cli.close();
  }

  @Test
  void aPolicyIsApplied() throws IOException {
    Path file = folder.resolve("policy.yaml");
    Files.writeString(
        file,
        "queues: [{name: q, shares: [{name: a, capacity: {H100: 1}, strategy: LEND,"
            + " inSharePreemption: false}]}]\n");
    cli.scheduler.queues.policyResult =
        ApplyPolicyResponse.newBuilder()
            .addCreated("queues/q")
            .addUpdated("queues/q/shares/a")
            .addUnmanaged("queues/old")
            .addRemoved("queues/q/shares/gone")
            .addWarnings("2 GPUs are guaranteed, 1 exists")
            .build();

    CliRunner.Result result = cli.run("apply", "-f", file.toString());

    assertThat(result.code()).isZero();
    assertThat(result.out())
        .isEqualTo(
            """
            created    queues/q
            changed    queues/q/shares/a
            removed    queues/q/shares/gone
            left       queues/old (not in the file)
            """);
    assertThat(result.err()).isEqualTo("warning: 2 GPUs are guaranteed, 1 exists\n");
    assertThat(cli.run("apply", "-f", file.toString(), "--dry-run").err())
        .contains("nothing was changed");
    cli.run("apply", "-f", file.toString(), "--drain-now", "--prune", "--dry-run");
    assertThat(cli.scheduler.requests(ApplyPolicyRequest.class))
        .extracting(
            ApplyPolicyRequest::getValidateOnly,
            ApplyPolicyRequest::getDrainNow,
            ApplyPolicyRequest::getPrune)
        .containsExactly(
            tuple(false, false, false), tuple(true, false, false), tuple(true, true, true));
  }

  @Test
  void pruningAsksBeforeJobsAreCancelled() throws IOException {
    Path file = folder.resolve("policy.yaml");
    Files.writeString(
        file,
        "queues: [{name: q, shares: [{name: a, capacity: {H100: 1}, strategy: LEND,"
            + " inSharePreemption: false}]}]\n");
    cli.scheduler.queues.policyPlan =
        PlanPolicyResponse.newBuilder()
            .setChanges(ApplyPolicyResponse.newBuilder().addRemoved("queues/q/shares/gone"))
            .addWouldCancel("queues/q/jobs/keep")
            .build();

    CliRunner.Result refused = cli.run("apply", "-f", file.toString(), "--prune");

    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err())
        .contains("pruning removes queues/q/shares/gone and cancels 1 job: keep", "--yes");
    assertThat(cli.scheduler.requests(ApplyPolicyRequest.class)).isEmpty();

    assertThat(cli.run("apply", "-f", file.toString(), "--prune", "--yes").code()).isZero();
    cli.scheduler.queues.policyPlan = PlanPolicyResponse.getDefaultInstance();
    assertThat(cli.run("apply", "-f", file.toString(), "--prune").code())
        .as("nobody's work is ended")
        .isZero();
    assertThat(cli.scheduler.requests(ApplyPolicyRequest.class))
        .extracting(ApplyPolicyRequest::getPrune)
        .containsExactly(true, true);
  }

  @Test
  void aWrongPolicyIsNotSent() throws IOException {
    Path file = folder.resolve("policy.yaml");
    Files.writeString(
        file,
        "queues: [{name: q, shares: [{name: a, capacity: {H100: 1}, inSharePreemption: false}]}]\n");

    CliRunner.Result result = cli.run("apply", "-f", file.toString());

    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err())
        .isEqualTo(
            file
                + ":1:29: queues[0].shares[0]: the key strategy is missing, expected RESERVE, LEND"
                + " or LEND_AND_BORROW; it has no default\n");
    assertThat(cli.run("apply", "-f", "/none.yaml").err())
        .isEqualTo("/none.yaml: there is no such file\n");
    assertThat(cli.scheduler.requests(ApplyPolicyRequest.class)).isEmpty();
  }
}
