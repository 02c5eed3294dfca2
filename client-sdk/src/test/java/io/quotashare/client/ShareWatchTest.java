package io.quotashare.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.proto.v1.WatchQuotaSharesRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ShareWatchTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final FakeScheduler scheduler = new FakeScheduler();
  private final List<String> connectionMessages = new CopyOnWriteArrayList<>();
  private final QuotaShareClient client = scheduler.client(connectionMessages);

  @BeforeEach
  void putShares() {
    scheduler.queues.put(
        GetQueueSnapshotResponse.newBuilder()
            .setQueue(io.quotashare.proto.v1.Queue.newBuilder().setName("queues/q"))
            .addShares(share("a", 1))
            .addShares(share("b", 1))
            .build());
  }

  @AfterEach
  void close() {
    scheduler.close();
  }

  private static QuotaShareStatus share(String id, int gpus) {
    return QuotaShareStatus.newBuilder()
        .setShare(
            io.quotashare.proto.v1.QuotaShare.newBuilder()
                .setName("queues/q/shares/" + id)
                .putCapacity("H100", gpus))
        .build();
  }

  /** "a=1" for a share with one GPU, "-a" for one that is gone. */
  private static String next(ShareWatch watch) {
    ShareEvent event = watch.next(LONG).orElseThrow();
    return event instanceof ShareEvent.Present present
        ? present.status().share().id() + "=" + present.status().share().capacity().get("H100")
        : "-" + ResourceNames.lastId(event.name());
  }

  private static void establish(ShareWatch watch) {
    await().atMost(LONG).until(() -> watch.revision() > 0);
  }

  @Test
  void aWatchBeginsWithTheSharesAsTheyAreAndGoesOn() {
    try (ShareWatch watch = client.shares().watch(ShareWatchOptions.ofQueue("q"))) {
      assertThat(List.of(next(watch), next(watch))).containsExactly("a=1", "b=1");
      establish(watch);
      scheduler.shares.set(share("b", 2));
      scheduler.shares.set(share("c", 3));
      scheduler.shares.remove("queues/q/shares/a");
      assertThat(List.of(next(watch), next(watch), next(watch)))
          .containsExactly("b=2", "c=3", "-a");
      assertThat(watch.revision()).isEqualTo(scheduler.shares.lastRevision());
    }
    await().atMost(LONG).until(() -> scheduler.shares.watchers() == 0);
  }

  @Test
  void itGoesOnByRevisionAfterARestart() {
    try (ShareWatch watch = client.shares().watch(ShareWatchOptions.ofQueue("q"))) {
      assertThat(List.of(next(watch), next(watch))).containsExactly("a=1", "b=1");
      establish(watch);

      scheduler.stop();
      scheduler.shares.set(share("b", 2));
      scheduler.shares.remove("queues/q/shares/a");
      scheduler.restart();

      assertThat(List.of(next(watch), next(watch)))
          .as("nothing is lost, and nothing comes twice")
          .containsExactly("b=2", "-a");
    }
    assertThat(connectionMessages).hasSize(2);
    assertThat(connectionMessages.get(1)).isEqualTo("the watch of shares goes on");
  }

  @Test
  void whereTheRevisionIsNotKeptItBeginsAnewAndTellsWhatIsGone() {
    ShareWatchOptions options = ShareWatchOptions.ofQueue("q").restarting();
    try (ShareWatch watch = client.shares().watch(options)) {
      assertThat(List.of(next(watch), next(watch))).containsExactly("a=1", "b=1");
      establish(watch);

      scheduler.stop();
      scheduler.shares.remove("queues/q/shares/a");
      scheduler.shares.set(share("b", 2));
      scheduler.shares.compact();
      scheduler.restart();

      assertThat(List.of(next(watch), next(watch))).containsExactly("b=2", "-a");
      scheduler.shares.set(share("b", 3));
      assertThat(next(watch)).isEqualTo("b=3");
    }
    List<WatchQuotaSharesRequest> sent = scheduler.requests(WatchQuotaSharesRequest.class);
    assertThat(sent.get(sent.size() - 1).getRevision()).as("the whole state again").isZero();
  }

  @Test
  void withoutThatARevisionThatIsNotKeptEndsTheWatch() {
    scheduler.shares.set(share("b", 2));
    scheduler.shares.set(share("b", 3));
    scheduler.shares.compact();

    try (ShareWatch watch = client.shares().watch(ShareWatchOptions.ofQueue("q").after(500))) {
      assertThatThrownBy(watch::next).isInstanceOf(RevisionExpiredException.class);
    }
  }

  @Test
  void aSlowReaderGetsEveryChangeOnce() {
    try (ShareWatch watch = client.shares().watch(ShareWatchOptions.ofQueue("q"))) {
      next(watch);
      next(watch);
      establish(watch);
      for (int i = 1; i <= 300; i++) {
        scheduler.shares.set(share("b", i));
      }
      for (int i = 1; i <= 300; i++) {
        assertThat(next(watch)).isEqualTo("b=" + i);
      }
    }
  }

  @Test
  void aConsumerIsFedUntilTheFutureIsCancelled() {
    List<ShareEvent> seen = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> watching =
        client.shares().watchAsync(ShareWatchOptions.all(), seen::add);
    await().atMost(LONG).until(() -> seen.size() == 2);

    watching.cancel(false);

    await().atMost(LONG).until(() -> scheduler.shares.watchers() == 0);
  }
}
