package io.quotashare.server.dryrun;

import static io.quotashare.core.model.Check.checkArgument;

/**
 * Bounds of dry runs.
 *
 * @param maxWaiting dry runs that may wait or run at the same time, 1 or more; one runs at a time,
 *     so there is never more than one copy of the state
 * @param maxRows rows that a copy may have, 1 or more
 * @param timeoutMillis from the call to the answer, 1 or more
 */
public record DryRunLimits(int maxWaiting, int maxRows, long timeoutMillis) {
  /** The defaults. */
  public static final DryRunLimits DEFAULT = new DryRunLimits(16, 1_000_000, 10_000);

  public DryRunLimits {
    checkArgument(maxWaiting >= 1, "maxWaiting: %s (expected: >= 1)", maxWaiting);
    checkArgument(maxRows >= 1, "maxRows: %s (expected: >= 1)", maxRows);
    checkArgument(timeoutMillis >= 1, "timeoutMillis: %s (expected: >= 1)", timeoutMillis);
  }
}
