package io.quotashare.client;

import static java.util.Objects.requireNonNull;

/**
 * What to watch.
 *
 * @param queue queue id, or {@link ResourceNames#ALL_QUEUES}
 * @param jobId only this job; empty: all
 * @param revision resume after this revision; 0: begin now
 * @param snapshot with revision 0: begin with a SNAPSHOT event for each job that exists
 * @param restart where the scheduler no longer keeps the revision to resume from, begin anew with
 *     the present state instead of failing: for watchers who want the end and not each step
 */
public record WatchOptions(
    String queue, String jobId, long revision, boolean snapshot, boolean restart) {
  /** Checks that the revision is not negative. */
  public WatchOptions {
    requireNonNull(queue, "queue");
    requireNonNull(jobId, "jobId");
    if (revision < 0) {
      throw new IllegalArgumentException("revision: " + revision + ", expected 0 or more");
    }
  }

  /** All jobs of a queue, beginning with their present state. */
  public static WatchOptions ofQueue(String queue) {
    return new WatchOptions(queue, "", 0, true, false);
  }

  /** All jobs of all queues, beginning with their present state. */
  public static WatchOptions all() {
    return ofQueue(ResourceNames.ALL_QUEUES);
  }

  /** Only this job. */
  public WatchOptions onlyJob(String id) {
    return new WatchOptions(queue, id, revision, snapshot, restart);
  }

  /** Resuming after this revision. */
  public WatchOptions after(long lastRevision) {
    return new WatchOptions(queue, jobId, lastRevision, snapshot, restart);
  }

  /** Only what happens from now on. */
  public WatchOptions withoutSnapshot() {
    return new WatchOptions(queue, jobId, revision, false, restart);
  }

  /** Beginning anew with the present state where the revision to resume from is no longer kept. */
  public WatchOptions restarting() {
    return new WatchOptions(queue, jobId, revision, snapshot, true);
  }
}
