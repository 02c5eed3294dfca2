package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One job, to be read and steered. Holds no connection of its own. */
public final class JobHandle {
  private final JobsClient jobs;
  private final String name;

  JobHandle(JobsClient jobs, Job job) {
    this(jobs, job.name());
  }

  JobHandle(JobsClient jobs, String name) {
    this.jobs = requireNonNull(jobs, "jobs");
    this.name = requireNonNull(name, "name");
  }

  /** {@code queues/{queue}/jobs/{job}}. */
  public String name() {
    return name;
  }

  /** Id inside its queue. */
  public String id() {
    return ResourceNames.lastId(name);
  }

  /** Id of its queue. */
  public String queue() {
    return ResourceNames.queueOf(name);
  }

  /** See {@link JobsClient#get}. */
  public Job get() {
    return jobs.get(name);
  }

  /** See {@link JobsClient#getAsync}. */
  public CompletableFuture<Job> getAsync() {
    return jobs.getAsync(name);
  }

  /** See {@link JobsClient#await(String)}. */
  public JobResult await() {
    return jobs.await(name);
  }

  /** See {@link JobsClient#await(String, Duration)}. */
  public JobResult await(Duration timeout) {
    return jobs.await(name, timeout);
  }

  /** See {@link JobsClient#awaitAsync}. */
  public CompletableFuture<JobResult> awaitAsync() {
    return jobs.awaitAsync(name);
  }

  /**
   * Watches this job, beginning with its present state, and anew with it where the scheduler no
   * longer keeps the events in between. The caller closes the watch.
   */
  public JobWatch watch() {
    return jobs.watch(WatchOptions.ofQueue(queue()).onlyJob(id()).restarting());
  }

  /** See {@link JobsClient#updatePriority}. */
  public Job updatePriority(int priority) {
    return updatePriority(priority, ChangeOptions.defaults());
  }

  /** See {@link JobsClient#updatePriority}. */
  public Job updatePriority(int priority, ChangeOptions options) {
    return jobs.updatePriority(name, priority, options);
  }

  /** See {@link JobsClient#updatePriorityAsync}. */
  public CompletableFuture<Job> updatePriorityAsync(int priority, ChangeOptions options) {
    return jobs.updatePriorityAsync(name, priority, options);
  }

  /** See {@link JobsClient#hold}. */
  public Job hold() {
    return hold(ChangeOptions.defaults());
  }

  /** See {@link JobsClient#hold}. */
  public Job hold(ChangeOptions options) {
    return jobs.hold(name, options);
  }

  /** See {@link JobsClient#holdAsync}. */
  public CompletableFuture<Job> holdAsync(ChangeOptions options) {
    return jobs.holdAsync(name, options);
  }

  /** See {@link JobsClient#release}. */
  public Job release() {
    return release(ChangeOptions.defaults());
  }

  /** See {@link JobsClient#release}. */
  public Job release(ChangeOptions options) {
    return jobs.release(name, options);
  }

  /** See {@link JobsClient#releaseAsync}. */
  public CompletableFuture<Job> releaseAsync(ChangeOptions options) {
    return jobs.releaseAsync(name, options);
  }

  /** See {@link JobsClient#requeue}. */
  public Job requeue(RequeueOptions options) {
    return jobs.requeue(name, options);
  }

  /** See {@link JobsClient#requeueAsync}. */
  public CompletableFuture<Job> requeueAsync(RequeueOptions options) {
    return jobs.requeueAsync(name, options);
  }

  /** See {@link JobsClient#checkpoint}. */
  public Job checkpoint() {
    return jobs.checkpoint(name);
  }

  /** See {@link JobsClient#checkpointAsync}. */
  public CompletableFuture<Job> checkpointAsync(@Nullable UUID requestId) {
    return jobs.checkpointAsync(name, requestId);
  }

  /** See {@link JobsClient#checkpointAndAwait}. */
  public Job checkpointAndAwait(Duration timeout) {
    return jobs.checkpointAndAwait(name, timeout);
  }

  /** See {@link JobsClient#checkpointAndAwaitAsync}. */
  public CompletableFuture<Job> checkpointAndAwaitAsync() {
    return jobs.checkpointAndAwaitAsync(name);
  }

  /** See {@link JobsClient#cancel}. */
  public Job cancel(String reason) {
    return jobs.cancel(name, reason);
  }

  /** See {@link JobsClient#cancelAsync}. */
  public CompletableFuture<Job> cancelAsync(String reason, @Nullable UUID requestId) {
    return jobs.cancelAsync(name, reason, requestId);
  }

  /** See {@link JobsClient#explain}. */
  public Explanation explain() {
    return jobs.explain(name);
  }

  /** See {@link JobsClient#explainAsync}. */
  public CompletableFuture<Explanation> explainAsync() {
    return jobs.explainAsync(name);
  }

  /** See {@link JobsClient#attempts}. */
  public PagedIterable<Attempt> attempts() {
    return jobs.attempts(name);
  }

  /** See {@link JobsClient#logs}. */
  public LogStream logs(LogOptions options) {
    return jobs.logs(name, options);
  }

  @Override
  public String toString() {
    return name;
  }
}
