package io.quotashare.agent.attempt;

import static java.util.Objects.requireNonNull;

/**
 * How attempts are kept.
 *
 * @param node name of this node
 * @param user who jobs run as
 * @param startTimeoutMillis from a start command to the running program, above 0
 * @param releaseTimeoutMillis from the end of the last process to quarantine, 0 or more
 * @param keepAttempts attempts that are over and keep their run folder, 1 or more
 * @param keepMillis how long their run folder is kept at most, above 0
 * @param keepOutputBytes output that is kept of attempts that are over, 0 or more
 */
public record AttemptSettings(
    String node,
    JobUser user,
    long startTimeoutMillis,
    long releaseTimeoutMillis,
    int keepAttempts,
    long keepMillis,
    long keepOutputBytes) {
  /** Checks the ranges above. */
  public AttemptSettings {
    requireNonNull(node, "node is null");
    requireNonNull(user, "user is null");
    check(startTimeoutMillis > 0, "startTimeoutMillis: " + startTimeoutMillis + " (expected: > 0)");
    check(
        releaseTimeoutMillis >= 0,
        "releaseTimeoutMillis: " + releaseTimeoutMillis + " (expected: >= 0)");
    check(keepAttempts >= 1, "keepAttempts: " + keepAttempts + " (expected: >= 1)");
    check(keepMillis > 0, "keepMillis: " + keepMillis + " (expected: > 0)");
    check(keepOutputBytes >= 0, "keepOutputBytes: " + keepOutputBytes + " (expected: >= 0)");
  }

  private static void check(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
