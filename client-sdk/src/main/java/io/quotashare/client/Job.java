package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job as the scheduler knows it.
 *
 * @param name {@code queues/{queue}/jobs/{job}}
 * @param spec as submitted, with defaults and the shape resolved; the priority is the present one
 * @param state where it stands
 * @param waiting why it waits; null if it does not
 * @param attemptCount number of attempts so far
 * @param latestAttempt newest attempt; null before the first
 * @param preemptionCount preemptions that count against the preemption budget
 * @param submittedAt when it was accepted
 * @param endedAt when it reached a terminal state; null before
 * @param endReason why it reached a terminal state, in words; empty before
 * @param etag changes with every change of the job
 * @param totalGpus devices in total: nodes times devices per node
 * @param held held back by its owner
 */
public record Job(
    String name,
    JobSpec spec,
    JobState state,
    @Nullable Waiting waiting,
    int attemptCount,
    @Nullable Attempt latestAttempt,
    int preemptionCount,
    @Nullable Instant submittedAt,
    @Nullable Instant endedAt,
    String endReason,
    String etag,
    int totalGpus,
    boolean held) {
  /** Checks that nothing required is null. */
  public Job {
    requireNonNull(name, "name");
    requireNonNull(spec, "spec");
    requireNonNull(state, "state");
    requireNonNull(endReason, "endReason");
    requireNonNull(etag, "etag");
  }

  /** Id inside its queue. */
  public String id() {
    return ResourceNames.lastId(name);
  }

  /** Id of its queue. */
  public String queue() {
    return ResourceNames.queueOf(name);
  }

  /** Id of the share that is charged. */
  public String share() {
    return spec.share();
  }

  /** Present priority. */
  public int priority() {
    return spec.priority();
  }
}
