package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

/**
 * Identity of a job.
 *
 * @param queue queue id
 * @param id job id, unique in its queue
 */
public record JobKey(String queue, String id) implements Comparable<JobKey> {
  public JobKey {
    requireNonNull(queue, "queue is null");
    requireNonNull(id, "id is null");
  }

  @Override
  public int compareTo(JobKey other) {
    int byQueue = queue.compareTo(other.queue);
    return byQueue != 0 ? byQueue : id.compareTo(other.id);
  }

  @Override
  public String toString() {
    return "queues/" + queue + "/jobs/" + id;
  }
}
