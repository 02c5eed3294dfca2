package io.quotashare.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.quotashare.client.fake.FakeJobs;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.v1.CancelJobsRequest;
import io.quotashare.proto.v1.CheckpointJobRequest;
import io.quotashare.proto.v1.HoldJobRequest;
import io.quotashare.proto.v1.JobEventType;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.ReleaseJobRequest;
import io.quotashare.proto.v1.RequeueJobRequest;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.SubmitJobsRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Batches, plans, holds, requeues, checkpoints and cancellations of many. */
class SteeringTest {
  private static final String NAME = "queues/q/jobs/j";
  private static final Duration LONG = Duration.ofSeconds(20);

  private final FakeScheduler scheduler = new FakeScheduler();
  private final QuotaShareClient client = scheduler.client();

  @AfterEach
  void close() {
    scheduler.close();
  }

  private static JobSpec spec(String queue) {
    return JobSpec.builder(queue, "a").gpus(1).command("true").build();
  }

  private static <T> T done(CompletableFuture<T> future) {
    return future.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join();
  }

  private void putRunning() {
    scheduler.jobs.put(
        FakeJobs.job("j", "a", 5).toBuilder()
            .setState(io.quotashare.proto.v1.JobState.JOB_STATE_RUNNING)
            .setAttemptCount(1)
            .setLatestAttempt(
                io.quotashare.proto.v1.Attempt.newBuilder().setName(NAME + "/attempts/1"))
            .build());
  }

  private void acknowledge(long request) {
    scheduler.jobs.happen(
        NAME,
        JobEventType.JOB_EVENT_TYPE_CHECKPOINTED,
        b -> b.setLatestAttempt(b.getLatestAttempt().toBuilder().setCheckpointAckSeq(request)));
  }

  @Test
  void eachEntryOfABatchHasItsOwnOutcome() {
    scheduler.failNextAfter(
        SubmitJobRequest.class,
        1,
        FakeScheduler.failure(Status.Code.ALREADY_EXISTS, "b is taken", "JOB_EXISTS"));

    List<SubmitOutcome> outcomes =
        client
            .jobs()
            .submitAll(
                List.of(
                    new Submission(spec("q"), SubmitOptions.defaults().withJobId("a")),
                    new Submission(spec("q"), SubmitOptions.defaults().withJobId("b")),
                    Submission.of(spec("q"))));

    assertThat(outcomes).hasSize(3);
    assertThat(outcomes.get(0)).isInstanceOf(SubmitOutcome.Accepted.class);
    assertThat(((SubmitOutcome.Accepted) outcomes.get(0)).handle().id()).isEqualTo("a");
    SubmitOutcome.Refused refused = (SubmitOutcome.Refused) outcomes.get(1);
    assertThat(refused.code()).isEqualTo("ALREADY_EXISTS");
    assertThat(refused.failure())
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessage("b is taken");
    assertThat(refused.failure().reason()).isEqualTo("JOB_EXISTS");
    assertThat(client.jobs().list(JobFilter.of("q"))).hasSize(2);
  }

  @Test
  void aRetriedBatchSubmitsEachEntryOnce() {
    scheduler.failNext(SubmitJobsRequest.class, Status.UNAVAILABLE.asRuntimeException());

    client.jobs().submitAll(List.of(Submission.of(spec("q")), Submission.of(spec("q"))));

    List<SubmitJobsRequest> sent = scheduler.requests(SubmitJobsRequest.class);
    assertThat(sent).hasSize(2);
    assertThat(sent.get(1)).isEqualTo(sent.get(0));
    assertThat(sent.get(0).getRequestsList())
        .extracting(SubmitJobRequest::getRequestId)
        .doesNotHaveDuplicates()
        .allSatisfy(id -> assertThat(UUID.fromString(id)).isNotNull());
  }

  @Test
  void aBatchIsBoundedAndOfOneQueue() {
    List<Submission> two = List.of(Submission.of(spec("q")), Submission.of(spec("other")));
    List<Submission> many = Collections.nCopies(1001, Submission.of(spec("q")));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.jobs().submitAll(two))
        .withMessage("batch[1]: queue other, expected q as the first entry has");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.jobs().submitAll(many))
        .withMessage("batch: 1001 entries, expected 1 to 1000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.jobs().submitAll(List.of()))
        .withMessage("batch: 0 entries, expected 1 to 1000");
    assertThat(scheduler.requests(SubmitJobsRequest.class)).isEmpty();
  }

  @Test
  void theOrderTravelsWithEveryPage() {
    for (int i = 0; i < 5; i++) {
      scheduler.jobs.put(
          FakeJobs.job("j" + i, "a", 0).toBuilder()
              .setSubmittedAt(
                  com.google.protobuf.Timestamp.newBuilder().setSeconds((i * 7) % 5 + 100))
              .build());
    }

    List<String> newest =
        client.jobs().list(JobFilter.all(), JobOrder.NEWEST_FIRST).stream().map(Job::id).toList();
    List<String> oldest =
        client.jobs().list(JobFilter.all(), JobOrder.OLDEST_FIRST).stream().map(Job::id).toList();

    List<String> reversed = new ArrayList<>(oldest);
    Collections.reverse(reversed);
    assertThat(newest).containsExactly("j2", "j4", "j1", "j3", "j0").isEqualTo(reversed);
    assertThat(scheduler.requests(ListJobsRequest.class)).hasSize(6);
  }

  @Test
  void holdReleaseAndRequeueTellWhatTheySay() {
    putRunning();
    JobHandle job = client.jobs().handle("q", "j");
    UUID mine = UUID.randomUUID();

    assertThat(job.hold(ChangeOptions.defaults().ifUnchanged("1").withRequestId(mine)).held())
        .isTrue();
    assertThat(job.release().held()).isFalse();
    assertThat(job.requeue(RequeueOptions.defaults().holding().because("new data")).held())
        .isTrue();

    assertThat(scheduler.requests(HoldJobRequest.class).get(0).getRequestId())
        .isEqualTo(mine.toString());
    assertThat(scheduler.requests(ReleaseJobRequest.class).get(0).getRequestId()).isNotEmpty();
    assertThat(scheduler.requests(RequeueJobRequest.class).get(0).getReason())
        .isEqualTo("new data");
    assertThatThrownBy(() -> job.hold(ChangeOptions.defaults().ifUnchanged("0")))
        .isInstanceOf(ConflictException.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RequeueOptions.defaults().because("x".repeat(513)))
        .withMessage("reason: 513 characters, expected at most 512");
  }

  @Test
  void aCheckpointIsAwaitedByItsOwnRequest() {
    putRunning();
    CompletableFuture<Job> first = client.jobs().checkpointAndAwaitAsync(NAME);
    await().atMost(LONG).until(() -> scheduler.jobs.watchers() == 1);
    CompletableFuture<Job> second = client.jobs().checkpointAndAwaitAsync(NAME);
    await().atMost(LONG).until(() -> scheduler.jobs.watchers() == 2);

    acknowledge(1);

    assertThat(done(first).latestAttempt().checkpointAckSeq()).isEqualTo(1);
    assertThat(second).as("its request is the second one").isNotDone();
    acknowledge(2);
    assertThat(done(second).latestAttempt().checkpointAckSeq()).isEqualTo(2);
    await().atMost(LONG).until(() -> scheduler.jobs.watchers() == 0);
  }

  @Test
  void aCheckpointThatIsConfirmedDuringARestartIsNotMissed() {
    putRunning();
    CompletableFuture<Job> saved = client.jobs().checkpointAndAwaitAsync(NAME);
    await().atMost(LONG).until(() -> scheduler.jobs.watchers() == 1);

    scheduler.stop();
    acknowledge(1);
    scheduler.restart();

    assertThat(done(saved).latestAttempt().checkpointAckSeq()).isEqualTo(1);
  }

  @Test
  void anAttemptThatEndsWithoutConfirmingFailsTheWait() {
    putRunning();
    CompletableFuture<Job> saved = client.jobs().checkpointAndAwaitAsync(NAME);
    await().atMost(LONG).until(() -> scheduler.jobs.watchers() == 1);

    scheduler.jobs.end(NAME, io.quotashare.proto.v1.JobState.JOB_STATE_FAILED, "exit code 1");

    assertThatThrownBy(() -> done(saved))
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(CheckpointNotConfirmedException.class)
        .hasMessageContaining("attempt 1 of queues/q/jobs/j ended before it confirmed");
  }

  @Test
  void aCheckpointWaitHasALimitAndARefusalIsTheCallers() {
    putRunning();
    assertThatThrownBy(() -> client.jobs().checkpointAndAwait(NAME, Duration.ofMillis(50)))
        .isInstanceOf(AwaitTimedOutException.class)
        .hasMessageContaining("it goes on");
    await().atMost(LONG).until(() -> scheduler.jobs.watchers() == 0);

    scheduler.jobs.put(FakeJobs.job("waits", "a", 1));
    assertThatThrownBy(() -> client.jobs().checkpointAndAwait("queues/q/jobs/waits", LONG))
        .isInstanceOf(PreconditionException.class);
  }

  @Test
  void cancelAllGoesOnUntilNoneIsLeft() {
    for (int i = 0; i < 5; i++) {
      scheduler.jobs.put(FakeJobs.job("j" + i, i < 4 ? "a" : "b", 0));
    }
    UUID mine = UUID.randomUUID();
    JobFilter ofA = JobFilter.of("q").ofShare("a");

    CancelResult result =
        client.jobs().cancelAll(ofA, CancelOptions.because("end").withRequestId(mine));

    assertThat(result.jobs())
        .containsExactly(
            "queues/q/jobs/j0", "queues/q/jobs/j1", "queues/q/jobs/j2", "queues/q/jobs/j3");
    assertThat(result.remaining()).isZero();
    List<CancelJobsRequest> sent = scheduler.requests(CancelJobsRequest.class);
    assertThat(sent).hasSize(2);
    assertThat(sent.get(0).getRequestId()).isEqualTo(mine.toString());
    assertThat(sent.get(1).getRequestId()).isNotEqualTo(mine.toString());

    client.jobs().cancelAll(ofA, CancelOptions.because("end").withRequestId(mine));
    assertThat(scheduler.requests(CancelJobsRequest.class).get(2).getRequestId())
        .as("a repeat repeats the ids")
        .isEqualTo(mine.toString());
    assertThat(client.jobs().get("queues/q/jobs/j4").state()).isEqualTo(JobState.RUNNABLE);
  }

  @Test
  void everyJobOfAQueueIsCancelledOnlyIfThatIsSaid() {
    scheduler.jobs.put(FakeJobs.job("j", "a", 0));
    CancelOptions options = CancelOptions.because("");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.jobs().cancelAll(JobFilter.of("q"), options))
        .withMessageContaining("selects every job of queue q");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.jobs().cancelAll(JobFilter.all(), options.forEveryJob()))
        .withMessageContaining("expected those of one queue");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.jobs().cancelAll(JobFilter.of("q").in(JobState.FAILED), options))
        .withMessageContaining("[FAILED] have ended");
    assertThat(scheduler.requests(CancelJobsRequest.class)).isEmpty();

    assertThat(client.jobs().checkCancelAll(JobFilter.of("q"), options.forEveryJob()).jobs())
        .containsExactly(NAME);
    assertThat(client.jobs().get(NAME).state()).as("only checked").isEqualTo(JobState.RUNNABLE);
    assertThat(client.jobs().cancelAll(JobFilter.of("q"), options.forEveryJob()).jobs())
        .containsExactly(NAME);
  }

  @Test
  void cancellingTheFutureOfACheckpointEndsItsWatch() {
    putRunning();
    CompletableFuture<Job> saved = client.jobs().checkpointAndAwaitAsync(NAME);
    await().atMost(LONG).until(() -> scheduler.jobs.watchers() == 1);

    saved.cancel(true);

    await().atMost(LONG).until(() -> scheduler.jobs.watchers() == 0);
    assertThat(scheduler.requests(CheckpointJobRequest.class)).hasSize(1);
  }
}
