package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;

/**
 * Bounds of what a store remembers.
 *
 * @param answerRetentionMillis how long the answer to a request is kept, 1 or more
 * @param maxAnswers most answers that are kept, 1 or more; beyond it the oldest are forgotten early
 */
public record StoreLimits(long answerRetentionMillis, int maxAnswers) {
  /** A day, and about 50 MB of memory for the keys. */
  public static final StoreLimits DEFAULT = new StoreLimits(24 * 3_600_000L, 200_000);

  public StoreLimits {
    checkArgument(
        answerRetentionMillis >= 1,
        "answerRetentionMillis: %s (expected: >= 1)",
        answerRetentionMillis);
    checkArgument(maxAnswers >= 1, "maxAnswers: %s (expected: >= 1)", maxAnswers);
  }
}
