package io.quotashare.core.replay;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What a finished replay came to.
 *
 * @param summary the figures
 * @param failures expectations that did not hold, in order of time
 */
public record ReplayResult(ReplaySummary summary, List<FailedExpectation> failures) {
  public ReplayResult {
    requireNonNull(summary, "summary is null");
    failures = List.copyOf(failures);
  }
}
