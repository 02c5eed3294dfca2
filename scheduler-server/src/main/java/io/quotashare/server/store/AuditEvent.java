package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * One entry for the audit log: a mutating call or a decision to preempt (reliability Z18). It
 * carries no secrets: neither environments of jobs nor credentials. What users wrote may stand in
 * it: characters that no database takes are replaced, and what is too long is cut, so that an entry
 * never keeps the batch that it belongs to from being committed.
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
  /** Longest of the texts, in UTF-16 units; longer ones are cut. */
  public static final int MAX_TEXT_LENGTH = 65_536;

  /** Stands at the end of a text that was cut. */
  static final String CUT = "... (cut)";

  public AuditEvent {
    principal = clean(principal, "principal");
    action = clean(action, "action");
    resource = clean(resource, "resource");
    requestId = clean(requestId, "requestId");
    before = clean(before, "before");
    after = clean(after, "after");
    detail = clean(detail, "detail");
    checkArgument(!principal.isEmpty(), "principal is empty");
    checkArgument(!action.isEmpty(), "action is empty");
  }

  private static String clean(String text, String name) {
    requireNonNull(text, name + " is null");
    String bounded =
        text.length() <= MAX_TEXT_LENGTH
            ? text
            : text.substring(0, MAX_TEXT_LENGTH - CUT.length()) + CUT;
    return Texts.toColumn(bounded);
  }
}
