package io.quotashare.core.replay;

import java.util.Comparator;

/**
 * Something that a virtual agent will report.
 *
 * @param atMillis when, in the scheduler's time
 * @param kind what
 * @param sequence order of insertion, the last tie-break
 * @param attempt whose
 * @param ticket valid only while the attempt's ticket of this kind has the same number
 */
record Due(long atMillis, Kind kind, long sequence, VirtualAttempt attempt, int ticket)
    implements Comparable<Due> {
  private static final Comparator<Due> ORDER =
      Comparator.comparingLong(Due::atMillis)
          .thenComparing(Due::kind)
          .thenComparingLong(Due::sequence);

  /**
   * What can fall due, in the order in which it happens within one instant: a state that becomes
   * durable in an instant counts for a stop in the same one, and a job whose work is complete has
   * ended by itself although its time to stop has come as well.
   */
  enum Kind {
    /** The job makes a checkpoint by itself. */
    CHECKPOINT,
    /** A checkpoint that was asked for is durable. */
    SAVED,
    /** The work is complete. */
    END,
    /** The processes are gone and the devices free. */
    GONE,
    /** The agent launches the processes. */
    LAUNCH,
    /** The processes run. */
    RUN
  }

  @Override
  public int compareTo(Due other) {
    return ORDER.compare(this, other);
  }
}
