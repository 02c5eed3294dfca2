package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import io.quotashare.client.internal.Watcher;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/** Watches that feed a future instead of a thread. */
final class Watches {
  private Watches() {}

  /** Calls the consumer for each event until the future is cancelled. */
  static <E> CompletableFuture<Void> consume(
      Function<Watcher.Observer<E>, Watcher<E>> open, Consumer<E> consumer) {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    feed(open, ended, requireNonNull(consumer, "consumer"));
    return ended;
  }

  /** Calls the consumer for each event until the future is done, and then closes the watch. */
  static <E> void feed(
      Function<Watcher.Observer<E>, Watcher<E>> open,
      CompletableFuture<?> until,
      Consumer<E> consumer) {
    Feed<E> feed = new Feed<>(until, consumer);
    feed.start(open.apply(feed));
  }

  /** Passes events on until the future is done, and then closes the watch. */
  static class Feed<E> implements Watcher.Observer<E> {
    private final CompletableFuture<?> until;
    private final Consumer<E> consumer;
    private final AtomicReference<Watcher<E>> watcher = new AtomicReference<>();

    Feed(CompletableFuture<?> until, Consumer<E> consumer) {
      this.until = until;
      this.consumer = consumer;
    }

    final void start(Watcher<E> opened) {
      watcher.set(opened);
      var unused = until.whenComplete((value, failure) -> opened.close());
      if (!until.isDone()) {
        opened.start();
      }
    }

    @Override
    public void onEvent(E event) {
      try {
        consumer.accept(event);
      } catch (RuntimeException e) {
        until.completeExceptionally(e);
        return;
      }
      watcher.get().consumed();
    }

    @Override
    public void onEstablished() {}

    @Override
    public void onFailed(QuotaShareException why) {
      until.completeExceptionally(why);
    }
  }
}
