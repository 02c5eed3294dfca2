package io.quotashare.core;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a job, for watchers and replays.
 *
 * @param type what
 * @param atMillis when
 * @param job the job right after it
 * @param attempt its newest attempt right after it; null before the first
 * @param ownDevices for STARTED: devices within the share's own limit
 * @param borrowedDevices for STARTED: devices above it
 * @param detail one sentence for people; may be empty
 */
public record JobEvent(
    Type type,
    long atMillis,
    Job job,
    @Nullable Attempt attempt,
    int ownDevices,
    int borrowedDevices,
    String detail) {
  /** What happened. */
  public enum Type {
    SUBMITTED,
    WAITING,
    STARTED,
    RUNNING,
    PREEMPTING,
    CHECKPOINTED,
    STOPPED,
    RUNNABLE,
    SUCCEEDED,
    FAILED,
    CANCELLED,
    PRIORITY,
    UPDATED
  }

  public JobEvent {
    requireNonNull(type, "type is null");
    requireNonNull(job, "job is null");
    requireNonNull(detail, "detail is null");
  }
}
