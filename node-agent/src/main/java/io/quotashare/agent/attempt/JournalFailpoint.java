package io.quotashare.agent.attempt;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The steps of an agent between which it may die: right before and right after every entry of its
 * journal. Nothing acts at them in an agent in use; a process of a test halts at one that the
 * system property {@value #PROPERTY} names, such as {@code AFTER_STARTED:2} for the second time.
 */
public enum JournalFailpoint {
  /** A start command was checked; nothing of it is on record. */
  BEFORE_START_INTENT,
  /** The start is on record; nothing of it was done. */
  AFTER_START_INTENT,
  /** The program runs; that is not on record. */
  BEFORE_STARTED,
  /** That the program runs is on record; it was not reported. */
  AFTER_STARTED,
  /** A request to save or stop was received; it is not on record. */
  BEFORE_REQUESTED,
  /** The request is on record; the job was not asked. */
  AFTER_REQUESTED,
  /** The attempt is over; that is not on record. */
  BEFORE_OVER,
  /** The end is on record; it was not reported. */
  AFTER_OVER,
  /** The scheduler has acknowledged the end; that is not on record. */
  BEFORE_ACKNOWLEDGED,
  /** The acknowledgement is on record. */
  AFTER_ACKNOWLEDGED,
  /** The journal is about to be replaced by a shorter one that says the same. */
  BEFORE_COMPACT,
  /** The journal was replaced. */
  AFTER_COMPACT;

  /** Name of the system property. */
  public static final String PROPERTY = "quotashare.failpoint";

  /** Status of a process that ended so: that of one that was killed by SIGKILL. */
  public static final int STATUS = 137;

  private static final Pattern FORM = Pattern.compile("([A-Z_]+)(?::([1-9][0-9]{0,5}))?");

  /**
   * What happens at failpoints.
   *
   * @param value of the system property; empty: nothing happens
   * @throws IllegalArgumentException if it has another form
   */
  public static Consumer<JournalFailpoint> action(String value) {
    return action(value, () -> Runtime.getRuntime().halt(STATUS));
  }

  static Consumer<JournalFailpoint> action(String value, Runnable halt) {
    if (value.isEmpty()) {
      return point -> {};
    }
    Matcher matcher = FORM.matcher(value);
    if (matcher.matches()) {
      for (JournalFailpoint where : values()) {
        if (where.name().equals(matcher.group(1))) {
          int times = matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2));
          return new HaltAt(where, times, halt);
        }
      }
    }
    throw new IllegalArgumentException(
        "-D"
            + PROPERTY
            + ": "
            + value
            + " (expected: one of "
            + Arrays.toString(values())
            + ", and :N for the n-th time)");
  }

  /** Used by the agent's thread alone. */
  private static final class HaltAt implements Consumer<JournalFailpoint> {
    private final JournalFailpoint where;
    private final Runnable halt;
    private int left;

    HaltAt(JournalFailpoint where, int times, Runnable halt) {
      this.where = where;
      this.left = times;
      this.halt = halt;
    }

    @Override
    public void accept(JournalFailpoint point) {
      if (point == where && --left == 0) {
        halt.run();
      }
    }
  }
}
