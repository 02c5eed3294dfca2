package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened to one job.
 *
 * @param revision to resume a watch from after this event
 * @param type what happened
 * @param time when, by the scheduler's clock
 * @param job the job right after it
 * @param ownDevices for STARTED: devices of the attempt within the share's own limit
 * @param borrowedDevices for STARTED: devices of the attempt that are borrowed
 * @param detail one sentence for people; may be empty
 */
public record JobEvent(
    long revision,
    JobEventType type,
    @Nullable Instant time,
    Job job,
    int ownDevices,
    int borrowedDevices,
    String detail) {
  /** Checks that nothing required is null. */
  public JobEvent {
    requireNonNull(type, "type");
    requireNonNull(job, "job");
    requireNonNull(detail, "detail");
  }
}
