package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import io.quotashare.client.internal.Blocking;
import io.quotashare.client.internal.Connection;
import io.quotashare.client.internal.JobCalls;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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

  /**
   * Submits several jobs of one queue at once, each with its own outcome: one that is refused does
   * not keep the others out. A retry by the client never submits an entry twice.
   *
   * @param batch 1 to 1000 entries, all of the same queue, and at most 1 MiB together
   * @return one outcome an entry, in the same order
   * @throws LimitExceededException if the entries are larger together
   */
  public List<SubmitOutcome> submitAll(List<Submission> batch) {
    return Blocking.get(submitAllAsync(batch));
  }

  /** The form of {@link #submitAll} that does not block. */
  public CompletableFuture<List<SubmitOutcome>> submitAllAsync(List<Submission> batch) {
    return calls.submitAll(
        Submission.queueOf(batch),
        batch,
        job -> new SubmitOutcome.Accepted(job, new JobHandle(this, job)));
  }

  /**
   * Says what a submission would do now: where it would start, who would be stopped for it, or why
   * it would wait. Changes nothing.
   *
   * @throws InfeasibleJobException if the job could never run
   */
  public JobPlan plan(JobSpec spec) {
    return Blocking.get(planAsync(spec));
  }

  /** The form of {@link #plan} that does not block. */
  public CompletableFuture<JobPlan> planAsync(JobSpec spec) {
    return calls.plan(requireNonNull(spec, "spec"));
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

  /** Jobs in the order of their queues and ids, fetched page by page. */
  public PagedIterable<Job> list(JobFilter filter) {
    return list(filter, JobOrder.ID);
  }

  /** Jobs in this order, fetched page by page. */
  public PagedIterable<Job> list(JobFilter filter, JobOrder order) {
    requireNonNull(filter, "filter");
    requireNonNull(order, "order");
    return new PagedIterable<>(token -> calls.list(filter, order, token));
  }

  /**
   * One page of jobs.
   *
   * @param pageToken empty: the first page; else from the page before, of the same filter and order
   */
  public CompletableFuture<Page<Job>> listAsync(
      JobFilter filter, JobOrder order, String pageToken) {
    return calls.list(
        requireNonNull(filter, "filter"),
        requireNonNull(order, "order"),
        requireNonNull(pageToken, "pageToken"));
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
    requireNonNull(options, "options");
    return Watches.consume(observer -> connection.watcher(options, observer), consumer);
  }

  /**
   * Waits until the job has ended: a watch, not a poll. It goes on after a break of the connection
   * and a restart of the scheduler, for up to ten minutes of its absence.
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
    return within(
        timeout, awaitAsync(name), name + " has not ended within " + timeout + "; it goes on");
  }

  /** The form of {@link #await(String)} that does not block. */
  public CompletableFuture<JobResult> awaitAsync(String name) {
    requireNonNull(name, "name");
    return JobWait.until(connection, calls, name, JobWait::ended);
  }

  private <T> T within(Duration timeout, CompletableFuture<T> result, String lateMessage) {
    connection.after(
        timeout.toMillis(),
        result,
        () -> result.completeExceptionally(new AwaitTimedOutException(lateMessage)));
    return Blocking.get(result);
  }

  /**
   * Changes the priority of a job that has not ended; decided upon at once.
   *
   * @param priority 0 to 9999; 0 is a value like every other
   * @throws ConflictException if the job has another etag than the one of the options
   * @throws PreconditionException if the job has ended
   */
  public Job updatePriority(String name, int priority, ChangeOptions options) {
    return Blocking.get(updatePriorityAsync(name, priority, options));
  }

  /** The form of {@link #updatePriority} that does not block. */
  public CompletableFuture<Job> updatePriorityAsync(
      String name, int priority, ChangeOptions options) {
    return calls.updatePriority(
        requireNonNull(name, "name"),
        JobSpec.checkPriority(priority),
        requireNonNull(options, "options"));
  }

  /** {@link #updatePriority(String, int, ChangeOptions)} whatever has changed since. */
  public Job updatePriority(String name, int priority) {
    return updatePriority(name, priority, ChangeOptions.defaults());
  }

  /**
   * Holds a waiting job back: it is passed over until it is released.
   *
   * @throws PreconditionException if it does not wait
   * @throws ConflictException if the job has another etag than the one of the options
   */
  public Job hold(String name, ChangeOptions options) {
    return Blocking.get(holdAsync(name, options));
  }

  /** The form of {@link #hold} that does not block. */
  public CompletableFuture<Job> holdAsync(String name, ChangeOptions options) {
    return calls.hold(requireNonNull(name, "name"), requireNonNull(options, "options"));
  }

  /**
   * Ends {@link #hold}. Does nothing to a job that is not held.
   *
   * @throws ConflictException if the job has another etag than the one of the options
   */
  public Job release(String name, ChangeOptions options) {
    return Blocking.get(releaseAsync(name, options));
  }

  /** The form of {@link #release} that does not block. */
  public CompletableFuture<Job> releaseAsync(String name, ChangeOptions options) {
    return calls.release(requireNonNull(name, "name"), requireNonNull(options, "options"));
  }

  /**
   * Stops the attempt of a job, checkpoint first, and queues the job again; uses no retry and no
   * preemption budget.
   *
   * @return the job after the request; its attempt may still be stopping
   * @throws PreconditionException if no attempt of it holds devices
   * @throws ConflictException if the job has another etag than the one of the options
   */
  public Job requeue(String name, RequeueOptions options) {
    return Blocking.get(requeueAsync(name, options));
  }

  /** The form of {@link #requeue} that does not block. */
  public CompletableFuture<Job> requeueAsync(String name, RequeueOptions options) {
    return calls.requeue(requireNonNull(name, "name"), requireNonNull(options, "options"));
  }

  /**
   * Asks a running job to save now and to go on.
   *
   * @return the job after the request; {@link Attempt#checkpointRequestSeq} of its newest attempt
   *     names the request
   * @throws PreconditionException if it does not run, does not take such requests, or has not
   *     confirmed an earlier one yet
   */
  public Job checkpoint(String name) {
    return Blocking.get(checkpointAsync(name, null));
  }

  /** The same with a request id that a later repeat can send again. */
  public Job checkpoint(String name, UUID requestId) {
    return Blocking.get(checkpointAsync(name, requireNonNull(requestId, "requestId")));
  }

  /**
   * The form of {@link #checkpoint} that does not block.
   *
   * @param requestId makes a repeat return the first answer; null: the client makes one
   */
  public CompletableFuture<Job> checkpointAsync(String name, @Nullable UUID requestId) {
    return calls.checkpoint(requireNonNull(name, "name"), requestId);
  }

  /**
   * Asks a running job to save now, and waits until it has confirmed that: a watch, not a poll.
   *
   * @return the job right after the confirmation
   * @throws CheckpointNotConfirmedException if the attempt ended before
   * @throws AwaitTimedOutException if it has not confirmed within {@code timeout}; the job goes on
   * @throws PreconditionException if it does not run, does not take such requests, or has not
   *     confirmed an earlier one yet
   */
  public Job checkpointAndAwait(String name, Duration timeout) {
    return within(
        timeout,
        checkpointAndAwaitAsync(name),
        name + " has not confirmed a checkpoint within " + timeout + "; it goes on");
  }

  /** The form of {@link #checkpointAndAwait} that does not block, and waits without a limit. */
  public CompletableFuture<Job> checkpointAndAwaitAsync(String name) {
    return Futures.compose(
        checkpointAsync(name, null),
        asked -> JobWait.until(connection, calls, name, JobWait.checkpointed(asked)));
  }

  /**
   * Cancels: at once if the job waits, by the stop ladder if it runs.
   *
   * @param reason recorded with the job, up to 512 characters; may be empty
   */
  public Job cancel(String name, String reason) {
    return Blocking.get(cancelAsync(name, reason, null));
  }

  /** The same with a request id that a later repeat can send again. */
  public Job cancel(String name, String reason, UUID requestId) {
    return Blocking.get(cancelAsync(name, reason, requireNonNull(requestId, "requestId")));
  }

  /**
   * The form of {@link #cancel} that does not block.
   *
   * @param requestId makes a repeat return the first answer; null: the client makes one
   */
  public CompletableFuture<Job> cancelAsync(String name, String reason, @Nullable UUID requestId) {
    return calls.cancel(requireNonNull(name, "name"), Texts.checkReason(reason), requestId);
  }

  /**
   * Cancels all jobs of a queue that the filter selects: those that wait at once, those that run by
   * the stop ladder. Goes on, a thousand jobs a call, until none is left; each call cancels all or
   * none of its jobs.
   *
   * @param filter of one queue; states that are terminal are refused
   * @return the names of all jobs that were cancelled
   * @throws IllegalArgumentException if the filter selects every job of the queue and the options
   *     do not say that this is meant
   */
  public CancelResult cancelAll(JobFilter filter, CancelOptions options) {
    return Blocking.get(cancelAllAsync(filter, options));
  }

  /** The form of {@link #cancelAll} that does not block. */
  public CompletableFuture<CancelResult> cancelAllAsync(JobFilter filter, CancelOptions options) {
    return new CancelAll(calls, filter, options).run();
  }

  /**
   * Only says which jobs {@link #cancelAll} would cancel: the first thousand, and how many more.
   */
  public CancelResult checkCancelAll(JobFilter filter, CancelOptions options) {
    return Blocking.get(checkCancelAllAsync(filter, options));
  }

  /** The form of {@link #checkCancelAll} that does not block. */
  public CompletableFuture<CancelResult> checkCancelAllAsync(
      JobFilter filter, CancelOptions options) {
    return new CancelAll(calls, filter, options).check();
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
