package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;

/**
 * Bounds of what a store remembers by itself. What is beyond them is removed with the commits that
 * follow, a bounded number of rows each.
 *
 * @param answerRetentionMillis how long the answer to a request is kept, 1 or more
 * @param maxAnswers most answers that are kept, 1 or more; beyond it the oldest are forgotten early
 * @param auditRetentionMillis how long entries of the audit log are kept, 1 or more
 * @param maxAuditEntries most entries that are kept, 1 or more; beyond it the oldest are removed
 *     early
 */
public record StoreLimits(
    long answerRetentionMillis, int maxAnswers, long auditRetentionMillis, long maxAuditEntries) {
  private static final long DAY_MILLIS = 24 * 3_600_000L;

  /** Answers for a day, about 50 MB of memory for their keys; the audit log for 400 days. */
  public static final StoreLimits DEFAULT =
      new StoreLimits(DAY_MILLIS, 200_000, 400 * DAY_MILLIS, 1_000_000);

  public StoreLimits {
    atLeastOne("answerRetentionMillis", answerRetentionMillis);
    atLeastOne("maxAnswers", maxAnswers);
    atLeastOne("auditRetentionMillis", auditRetentionMillis);
    atLeastOne("maxAuditEntries", maxAuditEntries);
  }

  private static void atLeastOne(String name, long value) {
    checkArgument(value >= 1, "%s: %s (expected: >= 1)", name, value);
  }
}
