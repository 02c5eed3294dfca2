package io.quotashare.client;

import java.util.List;

/**
 * What a verification of the scheduler's durable state found.
 *
 * @param rows rows that were read
 * @param revision revision that was verified
 * @param problems what is wrong, at most 100 sentences, each naming the row; empty: all is well
 */
public record StateVerification(long rows, long revision, List<String> problems) {
  /** Copies the list. */
  public StateVerification {
    problems = List.copyOf(problems);
  }

  /** True if nothing is wrong. */
  public boolean isSound() {
    return problems.isEmpty();
  }
}
