package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import io.quotashare.client.internal.Blocking;
import io.quotashare.client.internal.Connection;
import io.quotashare.client.internal.JobCalls;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Jobs: submit, read, watch, steer. Every call has a blocking form and one that returns a {@link
 * CompletableFuture}; cancelling the future cancels the call. Failures are {@link
 * QuotaShareException}s. Safe for use by several threads.
 */
public final class JobsClient {
  private final Connection connection;
  private final JobCalls calls;

  JobsClient(Connection connection) {
    this.connection = connection;
    this.calls = new JobCalls(connection.scheduler());
  }

  /** {@link #submit(JobSpec, SubmitOptions)} with an id from the scheduler. */
  public JobHandle submit(JobSpec spec) {
    return submit(spec, SubmitOptions.defaults());
  }

  /**
   * Submits a job; when this returns it is durable. A retry by the client never submits twice.
   *
   * @throws InfeasibleJobException if the job could never run
   * @throws AlreadyExistsException if the chosen id is taken
   * @throws InvalidRequestException if a value is refused; the exception names the field
   */
  public JobHandle submit(JobSpec spec, SubmitOptions options) {
    return Blocking.get(submitAsync(spec, options));
  }

  /** {@link #submitAsync(JobSpec, SubmitOptions)} with an id from the scheduler. */
  public CompletableFuture<JobHandle> submitAsync(JobSpec spec) {
    return submitAsync(spec, SubmitOptions.defaults());
  }

  /** The form of {@link #submit(JobSpec, SubmitOptions)} that does not block. */
  public CompletableFuture<JobHandle> submitAsync(JobSpec spec, SubmitOptions options) {
    requireNonNull(spec, "spec");
    return calls.submit(
        spec, requireNonNull(options, "options"), false, job -> new JobHandle(this, job));
  }

  /** Only checks: the job as it would be accepted, or the exception of {@link #submit}. */
  public Job validate(JobSpec spec, SubmitOptions options) {
    return Blocking.get(validateAsync(spec, options));
  }

  /** The form of {@link #validate} that does not block. */
  public CompletableFuture<Job> validateAsync(JobSpec spec, SubmitOptions options) {
    return calls.submit(requireNonNull(spec, "spec"), options, true, job -> job);
  }

  /** A handle for a job that exists; asks nothing. */
  public JobHandle handle(String queue, String id) {
    return new JobHandle(this, ResourceNames.job(queue, id));
  }

  /**
   * Reads a job.
   *
   * @param name {@code queues/{queue}/jobs/{job}}
   * @throws NotFoundException if there is none
   */
  public Job get(String name) {
    return Blocking.get(getAsync(name));
  }

  /** The form of {@link #get} that does not block. */
  public CompletableFuture<Job> getAsync(String name) {
    return calls.get(requireNonNull(name, "name"));
  }

  /** Jobs in the order of their ids, fetched page by page. */
  public PagedIterable<Job> list(JobFilter filter) {
    requireNonNull(filter, "filter");
    return new PagedIterable<>(token -> calls.list(filter, token));
  }

  /** One page of jobs; the first for an empty token. */
  public CompletableFuture<Page<Job>> listAsync(JobFilter filter, String pageToken) {
    return calls.list(requireNonNull(filter, "filter"), requireNonNull(pageToken, "pageToken"));
  }

  /** Watches jobs. The caller closes the watch. */
  public JobWatch watch(WatchOptions options) {
    requireNonNull(options, "options");
    return new JobWatch(observer -> connection.watcher(options, observer));
  }

  /**
   * Watches jobs without blocking a thread: the consumer is called for each event, one at a time.
   * The future ends exceptionally if the watch fails; cancelling it ends the watch.
   */
  public CompletableFuture<Void> watchAsync(WatchOptions options, Consumer<JobEvent> consumer) {
    return Watches.consume(connection, options, consumer);
  }

  /**
   * Waits until the job has ended: a watch, not a poll, which goes on after a restart of the
   * scheduler.
   *
   * @param name {@code queues/{queue}/jobs/{job}}
   * @throws NotFoundException if there is no such job
   */
  public JobResult await(String name) {
    return Blocking.get(awaitAsync(name));
  }

  /**
   * Waits at most {@code timeout} until the job has ended.
   *
   * @throws AwaitTimedOutException if it has not ended by then; the job goes on
   */
  public JobResult await(String name, Duration timeout) {
    CompletableFuture<JobResult> result = awaitAsync(name);
    connection.after(
        timeout.toMillis(),
        result,
        () ->
            result.completeExceptionally(
                new AwaitTimedOutException(
                    name + " has not ended within " + timeout + "; it goes on")));
    return Blocking.get(result);
  }

  /** The form of {@link #await(String)} that does not block. */
  public CompletableFuture<JobResult> awaitAsync(String name) {
    requireNonNull(name, "name");
    return Watches.await(connection, calls, name);
  }

  /**
   * Changes the priority of a job that has not ended; decided upon at once.
   *
   * @param priority 0 to 9999; 0 is a value like every other
   */
  public Job updatePriority(String name, int priority) {
    return Blocking.get(updatePriorityAsync(name, priority));
  }

  /** The form of {@link #updatePriority} that does not block. */
  public CompletableFuture<Job> updatePriorityAsync(String name, int priority) {
    return calls.updatePriority(requireNonNull(name, "name"), JobSpec.checkPriority(priority), "");
  }

  /**
   * Changes the priority unless the job changed since it was read.
   *
   * @throws ConflictException if it did
   */
  public Job updatePriority(Job asRead, int priority) {
    return Blocking.get(
        calls.updatePriority(asRead.name(), JobSpec.checkPriority(priority), asRead.etag()));
  }

  /**
   * Cancels: at once if the job waits, by the stop ladder if it runs.
   *
   * @param reason recorded with the job, up to 512 characters; may be empty
   */
  public Job cancel(String name, String reason) {
    return Blocking.get(cancelAsync(name, reason));
  }

  /** The form of {@link #cancel} that does not block. */
  public CompletableFuture<Job> cancelAsync(String name, String reason) {
    return calls.cancel(requireNonNull(name, "name"), requireNonNull(reason, "reason"));
  }

  /** Says why a job waits, was stopped, or could be stopped. */
  public Explanation explain(String name) {
    return Blocking.get(explainAsync(name));
  }

  /** The form of {@link #explain} that does not block. */
  public CompletableFuture<Explanation> explainAsync(String name) {
    return calls.explain(requireNonNull(name, "name"));
  }

  /** The attempts of a job, oldest first, fetched page by page. */
  public PagedIterable<Attempt> attempts(String name) {
    requireNonNull(name, "name");
    return new PagedIterable<>(token -> calls.attempts(name, token));
  }

  /** One page of attempts; the first for an empty token. */
  public CompletableFuture<Page<Attempt>> attemptsAsync(String name, String pageToken) {
    return calls.attempts(requireNonNull(name, "name"), requireNonNull(pageToken, "pageToken"));
  }

  /** Reads the output of an attempt. The caller closes the stream. */
  public LogStream logs(String name, LogOptions options) {
    requireNonNull(name, "name");
    requireNonNull(options, "options");
    return new LogStream(observer -> connection.logReader(name, options, observer));
  }
}
