package io.quotashare.core.model;

import static io.quotashare.core.model.Check.checkArgument;

import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which failures of an attempt are worth a retry. An exit by a signal counts as 128 plus its
 * number, as shells have it. What has no exit code, such as a program that could not be started, is
 * always worth one.
 */
public sealed interface RetryOn {
  /** Most exit codes in a list. */
  int MAX_CODES = 64;

  /** Whether a process that ended so is to be tried again. */
  boolean matches(int exitCode);

  /** Every failure. */
  record Any() implements RetryOn {
    @Override
    public boolean matches(int exitCode) {
      return true;
    }
  }

  /**
   * Only these exit codes.
   *
   * @param exitCodes 1 to 255 each, 1 to {@value RetryOn#MAX_CODES} of them
   */
  record Only(SortedSet<Integer> exitCodes) implements RetryOn {
    public Only {
      exitCodes = checked(exitCodes);
    }

    @Override
    public boolean matches(int exitCode) {
      return exitCodes.contains(exitCode);
    }
  }

  /**
   * Every exit code but these.
   *
   * @param exitCodes 1 to 255 each, 1 to {@value RetryOn#MAX_CODES} of them
   */
  record Except(SortedSet<Integer> exitCodes) implements RetryOn {
    public Except {
      exitCodes = checked(exitCodes);
    }

    @Override
    public boolean matches(int exitCode) {
      return !exitCodes.contains(exitCode);
    }
  }

  private static SortedSet<Integer> checked(SortedSet<Integer> exitCodes) {
    checkArgument(
        !exitCodes.isEmpty() && exitCodes.size() <= MAX_CODES,
        "exit codes: %s of them (expected: 1 to %s)",
        exitCodes.size(),
        MAX_CODES);
    checkArgument(
        exitCodes.first() >= 1 && exitCodes.last() <= 255,
        "exit codes: %s (expected: 1 to 255 each)",
        exitCodes);
    return new TreeSet<>(exitCodes);
  }
}
