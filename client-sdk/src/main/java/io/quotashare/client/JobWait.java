package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import io.quotashare.client.internal.Connection;
import io.quotashare.client.internal.JobCalls;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Waits until a job is as wanted: a watch, not a poll. It survives breaks of the connection and
 * restarts of the scheduler, and begins anew where the scheduler no longer keeps the events in
 * between. A job that the present state does not have any more is read: it may have ended, or been
 * removed after it had ended.
 *
 * @param <T> what is waited for
 */
final class JobWait<T> {
  /** A scheduler that does not answer the first read is given this long to come back. */
  private static final Duration FIRST_READ = Duration.ofSeconds(30);

  private static final long RETRY_MILLIS = 500;

  private final Connection connection;
  private final JobCalls calls;
  private final String name;
  private final Function<Job, Optional<T>> condition;
  private final CompletableFuture<T> result = new CompletableFuture<>();
  private final long startNanos = System.nanoTime();

  private JobWait(
      Connection connection, JobCalls calls, String name, Function<Job, Optional<T>> condition) {
    this.connection = connection;
    this.calls = calls;
    this.name = name;
    this.condition = condition;
  }

  /**
   * Completes with what the condition first says of the job; ends with what the condition throws.
   *
   * @param name {@code queues/{queue}/jobs/{job}}
   */
  static <T> CompletableFuture<T> until(
      Connection connection, JobCalls calls, String name, Function<Job, Optional<T>> condition) {
    JobWait<T> wait = new JobWait<>(connection, calls, name, condition);
    // The job is read first: that tells one that does not exist from one of which nothing is heard.
    wait.read(true);
    return wait.result;
  }

  private void read(boolean first) {
    CompletableFuture<Job> read = calls.get(name);
    var unused = result.whenComplete((value, failure) -> read.cancel(true));
    var ignored =
        read.whenComplete(
            (job, failure) -> {
              if (failure == null) {
                look(job);
                if (first && !result.isDone()) {
                  watch(job);
                }
              } else if (mayPass(failure, first)) {
                connection.after(RETRY_MILLIS, result, () -> read(first));
              } else {
                result.completeExceptionally(failure);
              }
            });
  }

  private boolean mayPass(Throwable failure, boolean first) {
    boolean absent =
        failure instanceof SchedulerUnavailableException
            || failure instanceof CallTimedOutException;
    // Later, the watch itself says when the scheduler has been away for too long.
    return absent && (!first || System.nanoTime() - startNanos < FIRST_READ.toNanos());
  }

  private void watch(Job job) {
    WatchOptions options = WatchOptions.ofQueue(job.queue()).onlyJob(job.id()).restarting();
    Feed feed = new Feed();
    feed.start(connection.watcher(options, true, feed));
  }

  private void look(Job job) {
    try {
      condition.apply(job).ifPresent(result::complete);
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
  }

  private final class Feed extends Watches.Feed<JobEvent> {
    private volatile boolean seen;

    Feed() {
      super(result, event -> look(event.job()));
    }

    @Override
    public void onBeginning() {
      seen = false;
    }

    @Override
    public void onEvent(JobEvent event) {
      seen = true;
      super.onEvent(event);
    }

    @Override
    public void onBeginningComplete() {
      if (!seen) {
        read(false);
      }
    }
  }

  /** The condition that a job has ended. */
  static Optional<JobResult> ended(Job job) {
    return job.state().isTerminal() ? Optional.of(new JobResult(job)) : Optional.empty();
  }

  /**
   * The condition that the attempt of a job has confirmed the request to save.
   *
   * @param asked the job right after the request
   */
  static Function<Job, Optional<Job>> checkpointed(Job asked) {
    Attempt running = requireNonNull(asked.latestAttempt(), "latestAttempt");
    int attempt = running.number();
    long request = running.checkpointRequestSeq();
    return job -> {
      Attempt latest = job.latestAttempt();
      if (latest == null || latest.number() != attempt) {
        throw notConfirmed(job, attempt, request);
      }
      if (latest.checkpointAckSeq() >= request) {
        return Optional.of(job);
      }
      if (latest.endedAt() != null || job.state().isTerminal()) {
        throw notConfirmed(job, attempt, request);
      }
      return Optional.empty();
    };
  }

  private static CheckpointNotConfirmedException notConfirmed(Job job, int attempt, long request) {
    return new CheckpointNotConfirmedException(
        "attempt "
            + attempt
            + " of "
            + job.name()
            + " ended before it confirmed checkpoint request "
            + request);
  }
}
