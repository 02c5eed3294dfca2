package io.quotashare.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.quotashare.client.fake.FakeJobs;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.JobEventType;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.WatchJobsRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatchTest {
  private static final String NAME = "queues/q/jobs/j";
  private static final Duration LONG = Duration.ofSeconds(20);

  private final FakeScheduler scheduler = new FakeScheduler();
  private final List<String> connectionMessages = new CopyOnWriteArrayList<>();
  private final QuotaShareClient client = scheduler.client(connectionMessages);

  @BeforeEach
  void putJob() {
    scheduler.jobs.put(FakeJobs.job("j", "a", 5));
  }

  @AfterEach
  void close() {
    scheduler.close();
  }

  private JobEvent next(JobWatch watch) {
    return watch.next(LONG).orElseThrow();
  }

  private static <T> T done(CompletableFuture<T> future) {
    return future.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join();
  }

  private void run() {
    scheduler.jobs.happen(NAME, JobEventType.JOB_EVENT_TYPE_RUNNING, JobState.JOB_STATE_RUNNING);
  }

  private void prioritise(int priority) {
    scheduler.jobs.happen(
        NAME,
        JobEventType.JOB_EVENT_TYPE_PRIORITY,
        job -> job.setSpec(job.getSpec().toBuilder().setPriority(priority)));
  }

  private void awaitWatchers(int count) {
    await().atMost(LONG).until(() -> scheduler.jobs.watchers() == count);
  }

  @Test
  void aWatchBeginsWithThePresentStateAndGoesOn() {
    try (JobWatch watch = client.jobs().watch(WatchOptions.ofQueue("q"))) {
      assertThat(watch.awaitEstablished(LONG)).isTrue();
      assertThat(next(watch).type()).isEqualTo(io.quotashare.client.JobEventType.SNAPSHOT);
      run();
      JobEvent event = next(watch);
      assertThat(event.type()).isEqualTo(io.quotashare.client.JobEventType.RUNNING);
      assertThat(event.job().state()).isEqualTo(io.quotashare.client.JobState.RUNNING);
      assertThat(watch.next(Duration.ofMillis(1))).isEmpty();
    }
  }

  @Test
  void aWatchGoesOnByRevisionAfterARestart() {
    try (JobWatch watch = client.jobs().watch(WatchOptions.ofQueue("q").withoutSnapshot())) {
      watch.awaitEstablished(LONG);
      prioritise(1);
      assertThat(next(watch).job().priority()).isEqualTo(1);

      scheduler.stop();
      prioritise(2);
      prioritise(3);
      scheduler.restart();

      assertThat(next(watch).job().priority()).as("nothing is lost").isEqualTo(2);
      assertThat(next(watch).job().priority()).as("nothing comes twice").isEqualTo(3);
      prioritise(4);
      assertThat(next(watch).job().priority()).isEqualTo(4);
    }
    assertThat(connectionMessages).hasSize(2);
    assertThat(connectionMessages.get(0)).contains("lost its connection, trying again");
    assertThat(connectionMessages.get(1)).isEqualTo("the watch of jobs goes on");
    List<WatchJobsRequest> requests = scheduler.requests(WatchJobsRequest.class);
    assertThat(requests.get(0).getSkipSnapshot()).isTrue();
    assertThat(requests.get(requests.size() - 1).getRevision()).isEqualTo(101);
  }

  @Test
  void aRevisionThatIsNotKeptEndsTheWatch() {
    prioritise(1);
    prioritise(2);
    scheduler.jobs.compactUpTo(102);

    try (JobWatch watch = client.jobs().watch(WatchOptions.ofQueue("q").after(101))) {
      assertThatThrownBy(watch::next).isInstanceOf(RevisionExpiredException.class);
      assertThatThrownBy(watch::next)
          .as("and says so again")
          .isInstanceOf(RevisionExpiredException.class);
    }
  }

  @Test
  void aRestartingWatchBeginsAnewWithThePresentState() {
    prioritise(1);
    prioritise(2);
    scheduler.jobs.compactUpTo(102);

    try (JobWatch watch = client.jobs().watch(WatchOptions.ofQueue("q").after(101).restarting())) {
      JobEvent event = next(watch);
      assertThat(event.type()).isEqualTo(io.quotashare.client.JobEventType.SNAPSHOT);
      assertThat(event.job().priority()).isEqualTo(2);
    }
  }

  @Test
  void bookmarksAdvanceTheRevision() {
    try (JobWatch watch =
        client.jobs().watch(WatchOptions.ofQueue("q").onlyJob("other").withoutSnapshot())) {
      watch.awaitEstablished(LONG);
      prioritise(1);
      prioritise(2);
      scheduler.jobs.bookmark();
      await().atMost(LONG).until(() -> watch.revision() == 102);
    }
  }

  @Test
  void aSlowReaderIsNotFlooded() {
    try (JobWatch watch = client.jobs().watch(WatchOptions.ofQueue("q").withoutSnapshot())) {
      watch.awaitEstablished(LONG);
      for (int i = 1; i <= 500; i++) {
        prioritise(i);
      }
      List<Integer> seen = new ArrayList<>();
      for (int i = 1; i <= 500; i++) {
        seen.add(next(watch).job().priority());
      }
      assertThat(seen).hasSize(500).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  void closingEndsAWaitingReader() {
    JobWatch watch = client.jobs().watch(WatchOptions.ofQueue("q").withoutSnapshot());
    watch.awaitEstablished(LONG);
    CompletableFuture<Optional<JobEvent>> reader = CompletableFuture.supplyAsync(watch::next);

    watch.close();

    assertThat(done(reader)).isEmpty();
    assertThat(watch.iterator().hasNext()).isFalse();
    awaitWatchers(0);
  }

  @Test
  void awaitReturnsWhenTheJobHasEnded() {
    CompletableFuture<JobResult> result = client.jobs().awaitAsync(NAME);
    awaitWatchers(1);
    run();
    assertThat(result).isNotDone();

    scheduler.jobs.end(NAME, JobState.JOB_STATE_FAILED, "exit code 3");

    assertThat(done(result).state()).isEqualTo(io.quotashare.client.JobState.FAILED);
    assertThat(done(result).succeeded()).isFalse();
    assertThat(done(result).reason()).isEqualTo("exit code 3");
    awaitWatchers(0);
  }

  @Test
  void awaitSurvivesARestartDuringWhichTheJobEnds() {
    CompletableFuture<JobResult> result = client.jobs().awaitAsync(NAME);
    awaitWatchers(1);

    scheduler.stop();
    scheduler.jobs.end(NAME, JobState.JOB_STATE_SUCCEEDED, "");
    scheduler.restart();

    assertThat(done(result).succeeded()).isTrue();
  }

  @Test
  void awaitSurvivesALossOfTheRevision() {
    CompletableFuture<JobResult> result = client.jobs().awaitAsync(NAME);
    awaitWatchers(1);
    run();

    scheduler.stop();
    prioritise(9);
    scheduler.jobs.end(NAME, JobState.JOB_STATE_SUCCEEDED, "");
    scheduler.jobs.compactUpTo(scheduler.jobs.lastRevision());
    scheduler.restart();

    assertThat(done(result).succeeded()).isTrue();
  }

  /** The scheduler keeps ended jobs for a while only. */
  @Test
  void awaitOfAJobThatIsRemovedMeanwhileEndsAsNotFound() {
    CompletableFuture<JobResult> result = client.jobs().awaitAsync(NAME);
    awaitWatchers(1);
    run();

    scheduler.stop();
    scheduler.jobs.remove(NAME);
    scheduler.jobs.compactUpTo(scheduler.jobs.lastRevision() + 1);
    scheduler.restart();

    assertThatThrownBy(() -> done(result)).hasCauseInstanceOf(NotFoundException.class);
    awaitWatchers(0);
  }

  @Test
  void awaitIsPatientWithASchedulerThatRestartsBeforeItWatches() {
    // Twice what a watch alone would try.
    for (int i = 0; i < 8; i++) {
      scheduler.failNext(WatchJobsRequest.class, Status.UNAVAILABLE.asRuntimeException());
    }
    CompletableFuture<JobResult> result = client.jobs().awaitAsync(NAME);

    awaitWatchers(1);
    scheduler.jobs.end(NAME, JobState.JOB_STATE_SUCCEEDED, "");

    assertThat(done(result).succeeded()).isTrue();
  }

  @Test
  void awaitIsPatientWithASchedulerThatRestartsBeforeItReads() {
    // Twice what a read alone would try.
    for (int i = 0; i < 10; i++) {
      scheduler.failNext(GetJobRequest.class, Status.UNAVAILABLE.asRuntimeException());
    }
    CompletableFuture<JobResult> result = client.jobs().awaitAsync(NAME);

    awaitWatchers(1);
    scheduler.jobs.end(NAME, JobState.JOB_STATE_SUCCEEDED, "");

    assertThat(done(result).succeeded()).isTrue();
  }

  @Test
  void awaitOfAJobThatHasEndedNeedsNoWatch() {
    scheduler.jobs.end(NAME, JobState.JOB_STATE_CANCELLED, "cancelled");

    assertThat(client.jobs().await(NAME).state())
        .isEqualTo(io.quotashare.client.JobState.CANCELLED);
    assertThat(scheduler.requests(WatchJobsRequest.class)).isEmpty();
  }

  @Test
  void awaitOfAJobThatDoesNotExistIsNotFound() {
    assertThatThrownBy(() -> client.jobs().await("queues/q/jobs/none"))
        .isInstanceOf(NotFoundException.class)
        .hasMessage("queues/q/jobs/none does not exist");
  }

  @Test
  void awaitWithATimeLimitSaysThatTheJobGoesOn() {
    assertThatThrownBy(() -> client.jobs().await(NAME, Duration.ofMillis(50)))
        .isInstanceOf(AwaitTimedOutException.class)
        .hasMessageContaining("it goes on");
    awaitWatchers(0);
  }

  @Test
  void cancellingTheFutureEndsTheWatch() {
    List<JobEvent> seen = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> watching =
        client.jobs().watchAsync(WatchOptions.ofQueue("q"), seen::add);
    awaitWatchers(1);
    run();
    await().atMost(LONG).until(() -> seen.size() == 2);

    watching.cancel(false);

    awaitWatchers(0);
  }

  @Test
  void aConsumerThatFailsEndsItsWatch() {
    CompletableFuture<Void> watching =
        client
            .jobs()
            .watchAsync(
                WatchOptions.ofQueue("q"),
                event -> {
                  throw new IllegalStateException("no");
                });

    assertThatThrownBy(() -> done(watching)).hasCauseInstanceOf(IllegalStateException.class);
    awaitWatchers(0);
  }

  @Test
  void aWatchThatNeverGetsThroughGivesUp() {
    scheduler.stop();

    try (JobWatch watch = client.jobs().watch(WatchOptions.all())) {
      assertThatThrownBy(watch::next)
          .isInstanceOf(SchedulerUnavailableException.class)
          .hasMessageContaining("fake:7070");
    }
  }
}
