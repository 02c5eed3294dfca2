package io.quotashare.client;

/**
 * What to read of a job's output.
 *
 * @param attempt attempt number from 1; 0: the newest
 * @param rank node rank in the gang, from 0
 * @param follow go on while the attempt runs
 * @param offset start at this byte of the attempt's output
 */
public record LogOptions(int attempt, int rank, boolean follow, long offset) {
  /** Checks that nothing is negative. */
  public LogOptions {
    if (attempt < 0 || rank < 0 || offset < 0) {
      throw new IllegalArgumentException(
          "attempt, rank and offset must be 0 or more, not "
              + attempt
              + ", "
              + rank
              + ", "
              + offset);
    }
  }

  /** Everything that rank 0 of the newest attempt has written so far. */
  public static LogOptions newest() {
    return new LogOptions(0, 0, false, 0);
  }

  /** The same for another attempt. */
  public LogOptions ofAttempt(int number) {
    return new LogOptions(number, rank, follow, offset);
  }

  /** The same for another rank. */
  public LogOptions ofRank(int newRank) {
    return new LogOptions(attempt, newRank, follow, offset);
  }

  /** The same, going on while the attempt runs. */
  public LogOptions following() {
    return new LogOptions(attempt, rank, true, offset);
  }

  /** The same from another byte on. */
  public LogOptions from(long newOffset) {
    return new LogOptions(attempt, rank, follow, newOffset);
  }
}
