package io.quotashare.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.quotashare.cli.CliRunner;
import io.quotashare.cli.ExitCode;
import io.quotashare.cli.console.Outside;
import io.quotashare.client.fake.FakeJobs;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.v1.Attempt;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.CancelJobsRequest;
import io.quotashare.proto.v1.CheckpointJobRequest;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.HoldJobRequest;
import io.quotashare.proto.v1.JobEventType;
import io.quotashare.proto.v1.JobOrder;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.RequeueJobRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hold, release, requeue, checkpoint, and cancelling many. */
class SteerTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final String ID = "8d2bd6f0-0000-4000-8000-000000000001";

  private final CliRunner cli = new CliRunner();

  @BeforeEach
  void putJobs() {
    cli.variables.put("QUOTASHARE_QUEUE", "q");
    for (int i = 1; i <= 5; i++) {
      cli.scheduler.jobs.put(FakeJobs.job("j-" + i, i < 4 ? "a" : "b", 0));
    }
  }

  @AfterEach
  void close() {
    cli.close();
  }

  private CliRunner.Result run(String line) {
    return cli.run(line.split(" "));
  }

  @Test
  void severalJobsAreHeldAndReleased() {
    assertThat(run("job hold j-1 j-2").err())
        .isEqualTo(
            """
            j-1 is held back; quotashare job release j-1 lets it go on
            j-2 is held back; quotashare job release j-2 lets it go on
            """);
    assertThat(run("job get j-1").out())
        .contains("held                  until quotashare job release j-1");
    assertThat(run("job release j-1").err()).isEqualTo("j-1 is not held back, and is RUNNABLE\n");
    assertThat(run("job get j-1").out()).doesNotContain("held  ");
  }

  @Test
  void aRefusalKeepsTheOthersNotOut() {
    cli.scheduler.failNext(
        HoldJobRequest.class,
        FakeScheduler.failure(
            Status.Code.FAILED_PRECONDITION, "j-1 runs: requeue it with hold", "JOB_NOT_WAITING"));

    CliRunner.Result result = run("job hold j-1 j-2");

    assertThat(result.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(result.err())
        .isEqualTo(
            """
            quotashare: j-1: refused: j-1 runs: requeue it with hold (JOB_NOT_WAITING)
            j-2 is held back; quotashare job release j-2 lets it go on
            """);
  }

  @Test
  void aJobThatNoQueueHasKeepsTheOthersNotOut() {
    cli.variables.remove("QUOTASHARE_QUEUE");
    for (String queue : List.of("p", "q")) {
      cli.scheduler.queues.put(
          GetQueueSnapshotResponse.newBuilder()
              .setQueue(Queue.newBuilder().setName("queues/" + queue))
              .build());
    }

    CliRunner.Result result = run("job hold none j-2");

    assertThat(result.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(result.err())
        .isEqualTo(
            """
            quotashare: none: no queue (p, q) has a job none; see quotashare jobs
            j-2 is held back; quotashare job release j-2 lets it go on
            """);
  }

  @Test
  void requeueSendsHoldAndReason() {
    CliRunner.Result result =
        cli.run("job", "requeue", "j-1", "--hold", "--reason", "bad data", "--request-id", ID);

    assertThat(result.err())
        .isEqualTo(
            "j-1 is asked to save and stop; it is held back then, and quotashare job release j-1"
                + " lets it go on\n");
    RequeueJobRequest sent = cli.scheduler.requests(RequeueJobRequest.class).get(0);
    assertThat(sent.getHold()).isTrue();
    assertThat(sent.getReason()).isEqualTo("bad data");
    assertThat(sent.getRequestId()).isEqualTo(ID);
  }

  @Test
  void eachOfSeveralHasARequestIdOfItsOwnAndARepeatTheSame() {
    run("job hold j-1 j-2 --request-id " + ID);
    run("job hold j-1 j-2 --request-id " + ID);

    List<String> ids =
        cli.scheduler.requests(HoldJobRequest.class).stream()
            .map(HoldJobRequest::getRequestId)
            .toList();
    assertThat(ids.subList(0, 2)).doesNotHaveDuplicates().doesNotContain(ID);
    assertThat(ids.subList(2, 4)).isEqualTo(ids.subList(0, 2));
  }

  @Test
  void aJobIsAskedToSave() {
    putRunning();

    assertThat(run("job checkpoint j-1").err())
        .isEqualTo(
            "j-1 is asked to save (request 1); quotashare job watch j-1 shows when it has\n");
    assertThat(run("job checkpoint j-2").code()).isEqualTo(ExitCode.REFUSED);
  }

  @Test
  void waitingForACheckpointEndsWithItsStep() {
    putRunning();
    CompletableFuture<CliRunner.Result> waiting =
        CompletableFuture.supplyAsync(() -> run("job checkpoint j-1 --wait"));
    await().atMost(LONG).until(() -> cli.scheduler.jobs.watchers() == 1);
    cli.scheduler.jobs.happen(
        "queues/q/jobs/j-1",
        JobEventType.JOB_EVENT_TYPE_CHECKPOINTED,
        job ->
            job.setLatestAttempt(
                job.getLatestAttempt().toBuilder().setCheckpointAckSeq(1).setCheckpointStep(120)));

    CliRunner.Result result = waiting.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join();

    assertThat(result.code()).isZero();
    assertThat(result.err()).isEqualTo("j-1 has saved its state of step 120\n");
  }

  @Test
  void aCheckpointThatDoesNotComeInTimeIsNotSo() {
    putRunning();

    CliRunner.Result result = run("job checkpoint j-1 --wait --timeout 50ms");

    assertThat(result.code()).isEqualTo(ExitCode.NOT_SO);
    assertThat(result.err()).contains("has not confirmed a checkpoint");
    assertThat(cli.scheduler.requests(CheckpointJobRequest.class)).hasSize(1);
  }

  private void putRunning() {
    cli.scheduler.jobs.put(
        FakeJobs.job("j-1", "a", 0).toBuilder()
            .setState(JobState.JOB_STATE_RUNNING)
            .setAttemptCount(1)
            .setLatestAttempt(
                Attempt.newBuilder()
                    .setName("queues/q/jobs/j-1/attempts/1")
                    .setState(JobState.JOB_STATE_RUNNING))
            .build());
  }

  @Test
  void aFilterIsCountedAndConfirmed() {
    cli.terminals = new Outside.Terminals(true, true, true);
    cli.input = "y\n";

    CliRunner.Result result = run("job cancel --share a --reason enough");

    assertThat(result.code()).isZero();
    assertThat(result.err())
        .isEqualTo(
            "this cancels 3 jobs of queue q: j-1, j-2 and 1 more. Go on? [y/N] 3 jobs cancelled:"
                + " those that wait at once, those that run are asked to stop\n");
    List<CancelJobsRequest> sent = cli.scheduler.requests(CancelJobsRequest.class);
    assertThat(sent.get(0).getValidateOnly()).as("counted first").isTrue();
    assertThat(sent.get(1).getValidateOnly()).isFalse();
    assertThat(sent).allMatch(request -> request.getShare().equals("a") && !request.getAll());
    assertThat(run("jobs --all -o name --state CANCELLED").lines()).hasSize(3);
  }

  @Test
  void aNoCancelsNothing() {
    cli.terminals = new Outside.Terminals(true, true, true);
    cli.input = "\n";

    CliRunner.Result result = run("job cancel --all");

    assertThat(result.code()).isEqualTo(ExitCode.NOT_SO);
    assertThat(result.err()).endsWith("nothing was cancelled\n");
    assertThat(cli.scheduler.requests(CancelJobsRequest.class))
        .allMatch(CancelJobsRequest::getValidateOnly);
  }

  @Test
  void withoutATerminalNothingIsCancelledUnlessYesIsSaid() {
    CliRunner.Result refused = run("job cancel --label x=1 --state RUNNABLE --share b");
    assertThat(refused.err()).isEqualTo("no job of queue q is selected; nothing was cancelled\n");

    CliRunner.Result asked = run("job cancel --all");
    assertThat(asked.code()).isEqualTo(ExitCode.USAGE);
    assertThat(asked.err())
        .isEqualTo(
            "quotashare: this cancels 5 jobs of queue q: j-1, j-2 and 3 more: there is no terminal to"
                + " ask at, so repeat the command with --yes if you mean it\n");

    assertThat(run("job cancel --all --yes").err()).startsWith("5 jobs cancelled");
    assertThat(run("jobs -o name").out()).isEmpty();
  }

  @Test
  void contradictionsAreUsage() {
    assertThat(run("job cancel").err()).contains("no job is named: expected JOB, or --share");
    assertThat(run("job cancel j-1 --all").err())
        .contains("JOB stands together with --share, --state, --label or --all");
    assertThat(run("job cancel --all --share a").err()).contains("--all stands together with");
    assertThat(run("job cancel --state SUCCEEDED --yes").code()).isEqualTo(ExitCode.USAGE);
    assertThat(cli.scheduler.requests(CancelJobRequest.class)).isEmpty();
    assertThat(cli.scheduler.requests(CancelJobsRequest.class)).isEmpty();
  }

  @Test
  void jobsCanBeOrdered() {
    run("jobs --order NEWEST_FIRST");

    assertThat(cli.scheduler.requests(ListJobsRequest.class).get(0).getOrder())
        .isEqualTo(JobOrder.JOB_ORDER_NEWEST_FIRST);
    assertThat(run("jobs --help").out()).contains("ID, NEWEST_FIRST, OLDEST_FIRST");
  }
}
