package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * One entry for the audit log: a mutating call or a decision to preempt (reliability Z18). It
 * carries no secrets: neither environments of jobs nor credentials.
 *
 * @param principal who; {@code scheduler} for its own decisions
 * @param action what, UPPER_SNAKE, such as SUBMIT_JOB
 * @param resource on what, a resource name such as {@code queues/q/jobs/j}
 * @param requestId request id of the call; empty if it had none
 * @param before value before, as text; empty if there was none
 * @param after value after, as text; empty if there is none
 * @param detail one sentence for people; may be empty
 */
public record AuditEvent(
    String principal,
    String action,
    String resource,
    String requestId,
    String before,
    String after,
    String detail) {
  /** Longest of the texts, in UTF-16 units. */
  public static final int MAX_TEXT_LENGTH = 65_536;

  public AuditEvent {
    check(principal, "principal");
    check(action, "action");
    check(resource, "resource");
    check(requestId, "requestId");
    check(before, "before");
    check(after, "after");
    check(detail, "detail");
    checkArgument(!principal.isEmpty(), "principal is empty");
    checkArgument(!action.isEmpty(), "action is empty");
  }

  private static void check(String text, String name) {
    requireNonNull(text, name + " is null");
    checkArgument(
        text.length() <= MAX_TEXT_LENGTH,
        "%s: %s characters (expected: at most %s)",
        name,
        text.length(),
        MAX_TEXT_LENGTH);
    Texts.checkColumn(text, name);
  }
}
