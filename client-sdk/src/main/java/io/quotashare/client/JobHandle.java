package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

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

  /** See {@link JobsClient#updatePriority(String, int)}. */
  public Job updatePriority(int priority) {
    return jobs.updatePriority(name, priority);
  }

  /** See {@link JobsClient#updatePriorityAsync}. */
  public CompletableFuture<Job> updatePriorityAsync(int priority) {
    return jobs.updatePriorityAsync(name, priority);
  }

  /** See {@link JobsClient#cancel}. */
  public Job cancel(String reason) {
    return jobs.cancel(name, reason);
  }

  /** See {@link JobsClient#cancelAsync}. */
  public CompletableFuture<Job> cancelAsync(String reason) {
    return jobs.cancelAsync(name, reason);
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
