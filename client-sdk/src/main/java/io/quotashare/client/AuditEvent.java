package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that was changed.
 *
 * @param time when, by the scheduler's clock
 * @param principal who; {@code scheduler} for its own decisions
 * @param action what, such as SUBMIT_JOB
 * @param resource name of the resource
 * @param requestId from the request; empty if it had none
 * @param before value before; empty if there was none
 * @param after value after; empty if there is none
 * @param detail one sentence for people; may be empty
 */
public record AuditEvent(
    @Nullable Instant time,
    String principal,
    String action,
    String resource,
    String requestId,
    String before,
    String after,
    String detail) {
  /** Checks that nothing required is null. */
  public AuditEvent {
    requireNonNull(principal, "principal");
    requireNonNull(action, "action");
    requireNonNull(resource, "resource");
    requireNonNull(requestId, "requestId");
    requireNonNull(before, "before");
    requireNonNull(after, "after");
    requireNonNull(detail, "detail");
  }
}
