package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import io.quotashare.client.internal.Connection;
import io.quotashare.client.internal.JobCalls;
import io.quotashare.client.internal.JobWatcher;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Watches that feed a future instead of a thread. */
final class Watches {
  private Watches() {}

  /** Calls the consumer for each event until the future is cancelled. */
  static CompletableFuture<Void> consume(
      Connection connection, WatchOptions options, Consumer<JobEvent> consumer) {
    requireNonNull(consumer, "consumer");
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Feed feed = new Feed(ended, consumer);
    feed.start(connection.watcher(requireNonNull(options, "options"), feed));
    return ended;
  }

  /**
   * Completes when the job has ended. The job is read first: that tells a job that does not exist
   * from one of which nothing is heard.
   */
  static CompletableFuture<JobResult> await(Connection connection, JobCalls calls, String name) {
    CompletableFuture<JobResult> result = new CompletableFuture<>();
    CompletableFuture<Job> first = calls.get(name);
    var unused = result.whenComplete((value, failure) -> first.cancel(true));
    var ignored =
        first.whenComplete(
            (job, failure) -> {
              if (failure != null) {
                result.completeExceptionally(failure);
              } else if (job.state().isTerminal()) {
                result.complete(new JobResult(job));
              } else {
                awaitEnd(connection, job, result);
              }
            });
    return result;
  }

  private static void awaitEnd(
      Connection connection, Job job, CompletableFuture<JobResult> result) {
    WatchOptions options = WatchOptions.ofQueue(job.queue()).onlyJob(job.id()).restarting();
    Feed feed =
        new Feed(
            result,
            event -> {
              if (event.job().state().isTerminal()) {
                result.complete(new JobResult(event.job()));
              }
            });
    feed.start(connection.watcher(options, feed));
  }

  /** Passes events on until the future is done, and then closes the watch. */
  private static final class Feed implements JobWatcher.Observer {
    private final CompletableFuture<?> until;
    private final Consumer<JobEvent> consumer;
    private final AtomicReference<JobWatcher> watcher = new AtomicReference<>();

    Feed(CompletableFuture<?> until, Consumer<JobEvent> consumer) {
      this.until = until;
      this.consumer = consumer;
    }

    void start(JobWatcher opened) {
      watcher.set(opened);
      var unused = until.whenComplete((value, failure) -> opened.close());
      if (!until.isDone()) {
        opened.start();
      }
    }

    @Override
    public void onEvent(JobEvent event) {
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
