package io.quotashare.server.store;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What came of verifying a store beside its writer.
 *
 * @param at the commit as of which everything was read
 * @param rows rows that were read
 * @param problems what is wrong, one sentence each, at most {@link #MAX_PROBLEMS}
 */
public record Verification(CommitPoint at, long rows, List<String> problems) {
  /** Most problems that are told; reading goes on to the end. */
  public static final int MAX_PROBLEMS = 100;

  public Verification {
    requireNonNull(at, "at is null");
    problems = List.copyOf(problems);
  }
}
