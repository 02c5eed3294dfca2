package io.quotashare.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.quotashare.client.CallCancelledException;
import io.quotashare.client.PreconditionException;
import io.quotashare.client.QuotaShareException;
import io.quotashare.client.SchedulerUnavailableException;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.WatchJobsRequest;
import io.quotashare.proto.v1.WatchJobsResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ResumingStreamTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final FakeScheduler scheduler = new FakeScheduler();
  private final ManagedChannel channel = scheduler.channel().build();
  private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
  private final Recorder recorder = new Recorder();

  @AfterEach
  void close() {
    timers.shutdownNow();
    channel.shutdownNow();
    scheduler.close();
  }

  private static final class Recorder
      implements ResumingStream.Reader<WatchJobsRequest, WatchJobsResponse> {
    final List<WatchJobsResponse> responses = new CopyOnWriteArrayList<>();
    final List<QuotaShareException> breaks = new CopyOnWriteArrayList<>();
    final List<QuotaShareException> failures = new CopyOnWriteArrayList<>();

    @Override
    public WatchJobsRequest nextRequest() {
      return WatchJobsRequest.newBuilder().setParent("queues/-").build();
    }

    @Override
    public void onResponse(WatchJobsResponse response) {
      responses.add(response);
    }

    @Override
    public void onDisconnected(QuotaShareException why, int count) {
      breaks.add(why);
    }

    @Override
    public void onReconnected() {}

    @Override
    public boolean onCompleted() {
      return true;
    }

    @Override
    public boolean onFailed(QuotaShareException why) {
      failures.add(why);
      return false;
    }
  }

  private ResumingStream<WatchJobsRequest, WatchJobsResponse> stream(Duration silence) {
    return new ResumingStream<>(
        new Rpc(channel, "fake:7070"),
        JobServiceGrpc.getWatchJobsMethod(),
        timers,
        silence,
        false,
        recorder);
  }

  @Test
  void aConnectionThatIsSilentForTooLongIsGivenUpAndOpenedAgain() {
    try (var stream = stream(Duration.ofMillis(100))) {
      stream.start();

      await().atMost(LONG).until(() -> scheduler.requests(WatchJobsRequest.class).size() >= 3);

      assertThat(recorder.breaks)
          .isNotEmpty()
          .allMatch(e -> e instanceof CallCancelledException || e.getMessage().contains("heard"));
      assertThat(recorder.failures).isEmpty();
    }
  }

  @Test
  void aFailureThatNoOtherTryHealsEndsIt() {
    scheduler.failNext(
        WatchJobsRequest.class,
        FakeScheduler.failure(Status.Code.FAILED_PRECONDITION, "no", "QUEUE_GONE"));

    try (var stream = stream(LONG)) {
      stream.start();

      await().atMost(LONG).until(() -> recorder.failures.size() == 1);
      assertThat(recorder.failures.get(0)).isInstanceOf(PreconditionException.class);
      assertThat(scheduler.requests(WatchJobsRequest.class)).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.Code.class,
      names = {"UNAVAILABLE", "RESOURCE_EXHAUSTED", "ABORTED"})
  void aPassingFailureIsFollowedByAnotherTry(Status.Code code) {
    scheduler.failNext(WatchJobsRequest.class, Status.fromCode(code).asRuntimeException());

    try (var stream = stream(LONG)) {
      stream.start();

      await().atMost(LONG).until(() -> !recorder.responses.isEmpty());
      assertThat(recorder.breaks).hasSize(1);
      assertThat(recorder.failures).isEmpty();
    }
  }

  @Test
  void whatNeverGetsThroughGivesUpSoon() {
    scheduler.stop();

    try (var stream = stream(LONG)) {
      stream.start();

      await().atMost(LONG).until(() -> recorder.failures.size() == 1);
      assertThat(recorder.failures.get(0))
          .isInstanceOf(SchedulerUnavailableException.class)
          .hasMessageContaining("fake:7070");
      assertThat(recorder.breaks).hasSize(Reconnect.FIRST_TRIES - 1);
    }
  }

  @Test
  void atMostAWindowIsUnderWayBeforeTheReaderConsumes() {
    for (int i = 0; i < 3 * ResumingStream.WINDOW; i++) {
      scheduler.jobs.put(io.quotashare.client.fake.FakeJobs.job("j" + i, "a", 0));
    }
    try (var stream = stream(LONG)) {
      stream.start();
      await().atMost(LONG).until(() -> recorder.responses.size() == ResumingStream.WINDOW);

      stream.consumed();

      await().atMost(LONG).until(() -> recorder.responses.size() == ResumingStream.WINDOW + 1);
    }
  }

  @Test
  void delaysGrowAndStayBounded() {
    for (int failures = 1; failures < 40; failures++) {
      long millis = Reconnect.delay(failures).toMillis();
      assertThat(millis).isBetween(50L, 5_000L);
    }
    assertThat(Reconnect.delay(1)).isLessThanOrEqualTo(Duration.ofMillis(100));
    assertThat(Reconnect.delay(20)).isGreaterThanOrEqualTo(Duration.ofMillis(2_500));
  }
}
