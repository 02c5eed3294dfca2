package io.quotashare.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.quotashare.cli.CliRunner;
import io.quotashare.cli.ExitCode;
import io.quotashare.cli.console.Outside;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.v1.BorrowMode;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.JobEventType;
import io.quotashare.proto.v1.JobSpec;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.NodeDevices;
import io.quotashare.proto.v1.PlanJobResponse;
import io.quotashare.proto.v1.PlannedVictim;
import io.quotashare.proto.v1.PreemptionCause;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.RejectedAlternative;
import io.quotashare.proto.v1.SubmitJobRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubmitTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final CliRunner cli = new CliRunner();

  @TempDir Path folder;

  @BeforeEach
  void putQueue() {
    cli.scheduler.queues.put(
        GetQueueSnapshotResponse.newBuilder()
            .setQueue(Queue.newBuilder().setName("queues/q"))
            .build());
  }

  @AfterEach
  void close() {
    cli.close();
  }

  private SubmitJobRequest sent() {
    return cli.scheduler.requests(SubmitJobRequest.class).get(0);
  }

  @Test
  void printsTheIdAlone() {
    CliRunner.Result result = cli.run("submit", "--share", "a", "--gpus", "1", "--", "sleep", "1");

    assertThat(result).isEqualTo(new CliRunner.Result(0, "j-1\n", ""));
    assertThat(sent().getParent()).isEqualTo("queues/q");
    assertThat(sent().getSpec().getCommandList()).containsExactly("sleep", "1");
    assertThat(sent().getSpec().hasPriority()).isTrue();
  }

  @Test
  void sendsEveryFlag() {
    CliRunner.Result result =
        cli.run(
            ("submit --queue q --share a --id mine --name n --nodes 2 --gpus-per-node 8 --unit H100"
                    + " --priority 0 --label x=1 --label y=2 --env A=b --workdir /tmp --time-limit 2h"
                    + " --grace 90s --lost-after never --checkpoint-every 10m --on-demand-checkpoint"
                    + " --retries 3 --retry-on 75,137 --preemption-retries 0 --no-borrow"
                    + " --allow-infeasible --request-id 8d2bd6f0-0000-4000-8000-000000000001 --"
                    + " python3 -u train.py --flag")
                .split(" "));

    assertThat(result).isEqualTo(new CliRunner.Result(0, "mine\n", ""));
    JobSpec spec = sent().getSpec();
    assertThat(sent().getJobId()).isEqualTo("mine");
    assertThat(sent().getRequestId()).isEqualTo("8d2bd6f0-0000-4000-8000-000000000001");
    assertThat(spec.getShare()).isEqualTo("queues/q/shares/a");
    assertThat(spec.getDisplayName()).isEqualTo("n");
    assertThat(spec.getNodes()).isEqualTo(2);
    assertThat(spec.getGpusPerNode()).isEqualTo(8);
    assertThat(spec.hasGpus()).isFalse();
    assertThat(spec.getUnit()).isEqualTo("H100");
    assertThat(spec.getPriority()).isZero();
    assertThat(spec.getLabelsMap()).hasSize(2).containsEntry("x", "1");
    assertThat(spec.getEnvMap()).containsEntry("A", "b");
    assertThat(spec.getWorkingDirectory()).isEqualTo("/tmp");
    assertThat(spec.getTimeLimit().getSeconds()).isEqualTo(7200);
    assertThat(spec.getGrace().getSeconds()).isEqualTo(90);
    assertThat(spec.getLostNever()).isTrue();
    assertThat(spec.getCheckpointEvery().getSeconds()).isEqualTo(600);
    assertThat(spec.getOnDemandCheckpoint()).isTrue();
    assertThat(spec.getRetries()).isEqualTo(3);
    assertThat(spec.getRetryExitCodesList()).containsExactly(75, 137);
    assertThat(spec.hasPreemptionRetriesBeforeTermination()).isTrue();
    assertThat(spec.getPreemptionRetriesBeforeTermination()).isZero();
    assertThat(spec.getBorrow()).isEqualTo(BorrowMode.BORROW_MODE_NEVER);
    assertThat(spec.getAllowInfeasible()).isTrue();
    assertThat(spec.getCommandList()).containsExactly("python3", "-u", "train.py", "--flag");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--gpus 1 -- true                       | --share is missing: name the share that is"
            + " charged",
        "--share a -- true                      | --gpus: unset, expected gpus, or --nodes and"
            + " --gpus-per-node",
        "--share a --gpus 1                     | command: 0 entries, expected a program and its"
            + " arguments",
        "--share a --gpus 1 --priority 10000 -- true | --priority: 10000 is not valid here,"
            + " expected 0 to 9999",
        "--share a --nodes 2 -- true            | --gpus-per-node is missing: it goes with --nodes",
        "--share a --gpus 1 --nodes 1 --gpus-per-node 1 -- true | --gpus: 1 together with --nodes"
            + " or --gpus-per-node",
        "--share a --gpus 1 --lost-after x -- true | --lost-after: \"x\" is not a duration",
        "--share a --gpus 1 --id A -- true      | --id: \"A\" is not valid here, expected 1 to 63"
            + " of a-z",
        "--share a --gpus 1 --workdir tmp -- true | --workdir: tmp is not valid here, expected an"
            + " absolute path",
        "--share a --gpus 1 --retries 11 -- true | --retries: 11 is not valid here, expected 0 to"
            + " 10",
        "--share a --gpus 1 --retry-on 256 -- true | --retry-on: 256 is not valid here, expected 1"
            + " to 255",
        "--share a --gpus 1 --retry-on 1 --fail-on 2 -- true | --fail-on: given together with"
            + " --retry-on, expected one of the two",
      })
  void whatIsWrongIsSaidBeforeAnythingIsSent(String args, String message) {
    CliRunner.Result result = cli.run(("submit " + args).split(" "));

    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains(message);
    assertThat(cli.scheduler.requests(SubmitJobRequest.class)).isEmpty();
  }

  @Test
  void flagsWinOverTheFile() throws IOException {
    Path file = folder.resolve("job.yaml");
    Files.writeString(
        file,
        """
        share: a
        gpus: 4
        priority: 3
        labels: {x: "1", y: "2"}
        lostAfter: 10m
        borrow: NEVER
        preemptionRetriesBeforeTermination: 0
        failExitCodes: [2, 64]
        command: [python3, train.py]
        """);

    CliRunner.Result result =
        cli.run(
            "submit",
            "-f",
            file.toString(),
            "--nodes",
            "1",
            "--gpus-per-node",
            "2",
            "--label",
            "x=9");

    assertThat(result.code()).isZero();
    JobSpec spec = sent().getSpec();
    assertThat(spec.hasGpus()).as("a shape replaces the file's").isFalse();
    assertThat(spec.getGpusPerNode()).isEqualTo(2);
    assertThat(spec.getPriority()).isEqualTo(3);
    assertThat(spec.getLabelsMap()).containsEntry("x", "9").containsEntry("y", "2");
    assertThat(spec.getLostAfter().getSeconds()).isEqualTo(600);
    assertThat(spec.getBorrow()).isEqualTo(BorrowMode.BORROW_MODE_NEVER);
    assertThat(spec.getPreemptionRetriesBeforeTermination()).isZero();
    assertThat(spec.getFailExitCodesList()).containsExactly(2, 64);
    assertThat(spec.getCommandList()).containsExactly("python3", "train.py");
  }

  @Test
  void aWrongFileIsRefusedWithEveryPlace() throws IOException {
    Path file = folder.resolve("job.yaml");
    Files.writeString(file, "share: a\ngpu: 1\npriority: 10000\nlostAfter: soon\nborrow: no\n");

    CliRunner.Result result = cli.run("submit", "-f", file.toString(), "--", "true");

    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err().lines())
        .containsExactly(
            file + ":2:1: gpu: unknown key; did you mean gpus?",
            file
                + ":3:11: priority: 10000 is not valid here, expected a whole number from 0 to"
                + " 9999",
            file + ":4:12: lostAfter: \"soon\" is not a duration such as 90s, 10m, 1h30m or 250ms",
            file + ":5:9: borrow: \"no\" is not valid here, expected one of ALLOWED, NEVER");
  }

  @Test
  void theSchedulersRefusalIsShown() {
    cli.scheduler.failNext(
        SubmitJobRequest.class,
        FakeScheduler.failure(
            Status.Code.FAILED_PRECONDITION,
            "12 GPUs are more than the 8 that share a may ever use",
            "SHARE_LIMIT_EXCEEDED"));

    CliRunner.Result result = cli.run("submit", "--share", "a", "--gpus", "12", "--", "true");

    assertThat(result.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(result.err())
        .isEqualTo(
            "quotashare: refused: 12 GPUs are more than the 8 that share a may ever use"
                + " (SHARE_LIMIT_EXCEEDED)\n");
  }

  @Test
  void aRefusalNamesTheFlagsThatOneTypes() {
    cli.scheduler.failNext(
        SubmitJobRequest.class,
        FakeScheduler.failure(
            Status.Code.FAILED_PRECONDITION,
            "the job could never run: 12 are more than 8 (to submit it all the same:"
                + " allowInfeasible)",
            "SHARE_LIMIT_EXCEEDED"));
    cli.scheduler.failNext(
        SubmitJobRequest.class,
        FakeScheduler.failure(
            Status.Code.INVALID_ARGUMENT,
            "spec.gpus_per_node: 99 is not valid here, expected 1 to 8",
            "INVALID_FIELD"));

    assertThat(cli.run("submit", "--share", "a", "--gpus", "12", "--", "true").err())
        .isEqualTo(
            "quotashare: refused: the job could never run: 12 are more than 8 (to submit it all the"
                + " same: --allow-infeasible) (SHARE_LIMIT_EXCEEDED)\n");
    assertThat(cli.run("submit", "--share", "a", "--gpus", "12", "--", "true").err())
        .startsWith("quotashare: refused: --gpus-per-node: 99 is not valid here");
  }

  @Test
  void aDryRunShowsThePlanAndSubmitsNothing() {
    cli.scheduler.jobs.plan =
        PlanJobResponse.newBuilder()
            .setSummary("It would start once 1 job has been stopped.")
            .addDetails("Share a would use 2 of its 8 H100.")
            .addPlacement(
                NodeDevices.newBuilder().setNode("n1").addDeviceUuids("GPU-1").addDeviceUuids("x"))
            .setOwnDevices(2)
            .addVictims(
                PlannedVictim.newBuilder()
                    .setJob("queues/q/jobs/j-7")
                    .setShare("background")
                    .setCause(PreemptionCause.PREEMPTION_CAUSE_RECLAIM)
                    .setGpus(2)
                    .setCostDeviceSeconds(12.34))
            .addRejected(RejectedAlternative.newBuilder().setJob("j-8").setWhy("it is younger"))
            .build();

    CliRunner.Result result =
        cli.run("submit", "--share", "a", "--gpus", "2", "--dry-run", "--", "true");

    assertThat(result.code()).isZero();
    assertThat(result.out())
        .isEqualTo(
            """
            It would start once 1 job has been stopped.
              Share a would use 2 of its 8 H100.
              Devices: 2 on n1 (2 own, 0 borrowed).
              Not chosen: j-8 (it is younger).
            WOULD STOP  SHARE       CAUSE    FOR  GPUS  COST(GPU-S)
            j-7         background  RECLAIM  -       2         12.3
            """);
    assertThat(result.err()).isEqualTo("this was a dry run: nothing was submitted\n");
    assertThat(cli.scheduler.requests(SubmitJobRequest.class)).isEmpty();
    assertThat(
            cli.run(
                    "submit",
                    "--share",
                    "a",
                    "--gpus",
                    "2",
                    "--dry-run",
                    "-o",
                    "json",
                    "--",
                    "true")
                .out())
        .contains("\"costDeviceSeconds\": 12.34");
  }

  @Test
  void jsonIsTheWholeJob() {
    CliRunner.Result result =
        cli.run("submit", "--share", "a", "--gpus", "1", "-o", "json", "--", "true");

    assertThat(result.out())
        .contains("\"name\": \"queues/q/jobs/j-1\"")
        .contains("\"priority\": 0");
  }

  /** Runs {@code submit --wait} on a thread of its own, until it watches. */
  private CompletableFuture<CliRunner.Result> submitAndWait(String... more) {
    String[] args = new String[8 + more.length];
    System.arraycopy(
        new String[] {"submit", "--share", "a", "--gpus", "1", "--wait"}, 0, args, 0, 6);
    System.arraycopy(more, 0, args, 6, more.length);
    args[6 + more.length] = "--";
    args[7 + more.length] = "true";
    CompletableFuture<CliRunner.Result> result = CompletableFuture.supplyAsync(() -> cli.run(args));
    await().atMost(LONG).until(() -> cli.scheduler.jobs.watchers() == 1);
    return result;
  }

  private static CliRunner.Result done(CompletableFuture<CliRunner.Result> result) {
    return result.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join();
  }

  private void happen(JobEventType type, JobState state) {
    cli.scheduler.jobs.happen(
        "queues/q/jobs/j-1", type, job -> job.setState(state).setAttemptCount(1));
  }

  @Test
  void waitFollowsTheStateToTheEnd() {
    CompletableFuture<CliRunner.Result> running = submitAndWait();
    happen(JobEventType.JOB_EVENT_TYPE_RUNNING, JobState.JOB_STATE_RUNNING);
    happen(JobEventType.JOB_EVENT_TYPE_SUCCEEDED, JobState.JOB_STATE_SUCCEEDED);

    CliRunner.Result result = done(running);

    assertThat(result.code()).isZero();
    assertThat(result.out()).isEqualTo("j-1\n");
    assertThat(result.err()).contains("j-1 runs").contains("j-1 has succeeded");
  }

  @Test
  void waitOfAJobThatFailsIsNotSo() {
    CompletableFuture<CliRunner.Result> running = submitAndWait();
    cli.scheduler.jobs.end("queues/q/jobs/j-1", JobState.JOB_STATE_FAILED, "exit code 3");

    CliRunner.Result result = done(running);

    assertThat(result.code()).isEqualTo(ExitCode.NOT_SO);
    assertThat(result.err()).contains("j-1 has failed: exit code 3");
  }

  @Test
  void logsPrintTheOutputOfEveryAttempt() {
    CompletableFuture<CliRunner.Result> running = submitAndWait("--logs");
    cli.scheduler.jobs.putLog("queues/q/jobs/j-1", 1, "one\n");
    cli.scheduler.jobs.putLog("queues/q/jobs/j-1", 2, "two\n");
    happen(JobEventType.JOB_EVENT_TYPE_RUNNING, JobState.JOB_STATE_RUNNING);
    cli.scheduler.jobs.happen(
        "queues/q/jobs/j-1",
        JobEventType.JOB_EVENT_TYPE_SUCCEEDED,
        job -> job.setState(JobState.JOB_STATE_SUCCEEDED).setAttemptCount(2));

    CliRunner.Result result = done(running);

    assertThat(result.code()).isZero();
    assertThat(result.out()).isEqualTo("j-1\none\ntwo\n");
  }

  @Test
  void ctrlCWithoutATerminalDetaches() {
    CompletableFuture<CliRunner.Result> running = submitAndWait();
    cli.pressCtrlC();

    CliRunner.Result result = done(running);

    assertThat(result.code()).isZero();
    assertThat(result.err()).contains("j-1 goes on; see it again with quotashare job watch j-1");
    assertThat(cli.scheduler.requests(CancelJobRequest.class)).isEmpty();
  }

  @Test
  void ctrlCAsksAndCancels() {
    cli.terminals = new Outside.Terminals(true, true, true);
    cli.input = "c\n";
    CompletableFuture<CliRunner.Result> running = submitAndWait();
    cli.pressCtrlC();

    CliRunner.Result result = done(running);

    assertThat(result.code()).isEqualTo(ExitCode.NOT_SO);
    assertThat(result.err()).contains("Cancel the job [c], detach").contains("j-1 is cancelled");
    assertThat(cli.scheduler.requests(CancelJobRequest.class)).hasSize(1);
  }

  @Test
  void ctrlCAsksAndGoesOnWaiting() {
    cli.terminals = new Outside.Terminals(true, true, true);
    cli.input = "\nd\n";
    CompletableFuture<CliRunner.Result> running = submitAndWait();
    cli.pressCtrlC();
    happen(JobEventType.JOB_EVENT_TYPE_SUCCEEDED, JobState.JOB_STATE_SUCCEEDED);

    assertThat(done(running).code()).isZero();
  }
}
