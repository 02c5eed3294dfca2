package io.quotashare.server.shares;

import io.quotashare.core.Policy;
import io.quotashare.server.store.AuditEvent;

/** Policies in the words of the audit log. */
final class AuditTexts {
  private AuditTexts() {}

  /** What was made and changed, cut to the longest text that the log takes. */
  static String of(Policy.Diff diff) {
    String text =
        "created: "
            + String.join(", ", diff.created())
            + "; updated: "
            + String.join(", ", diff.updated());
    return text.length() <= AuditEvent.MAX_TEXT_LENGTH
        ? text
        : text.substring(0, AuditEvent.MAX_TEXT_LENGTH);
  }
}
