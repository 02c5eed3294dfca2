package io.quotashare.server.failpoint;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ends the process at once, as SIGKILL would, when it comes to a point for the n-th time. Asked for
 * by the system property {@value #PROPERTY}, such as {@code COMMITTED:3}; only in development mode.
 */
public final class HaltAtFailpoint implements Failpoints {
  /** Name of the system property. */
  public static final String PROPERTY = "quotashare.failpoint";

  /** Status of a process that ended so: that of one that was killed by SIGKILL. */
  public static final int STATUS = 137;

  private static final Pattern FORM = Pattern.compile("([A-Z_]+)(?::([1-9][0-9]{0,5}))?");

  private final Failpoint where;
  private final AtomicInteger left;
  private final Runnable halt;

  HaltAtFailpoint(Failpoint where, int times, Runnable halt) {
    this.where = requireNonNull(where, "where is null");
    this.left = new AtomicInteger(times);
    this.halt = requireNonNull(halt, "halt is null");
  }

  /**
   * @param value of the system property: a failpoint and, after a colon, how often it is reached, 1
   *     to 999999; 1 if left out
   * @throws IllegalArgumentException if it has another form
   */
  public static Failpoints of(String value) {
    return of(value, () -> Runtime.getRuntime().halt(STATUS));
  }

  static Failpoints of(String value, Runnable halt) {
    Matcher matcher = FORM.matcher(value);
    if (matcher.matches()) {
      for (Failpoint point : Failpoint.values()) {
        if (point.name().equals(matcher.group(1))) {
          int times = matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2));
          return new HaltAtFailpoint(point, times, halt);
        }
      }
    }
    throw new IllegalArgumentException(
        "-D"
            + PROPERTY
            + ": "
            + value
            + " (expected: one of "
            + Arrays.toString(Failpoint.values())
            + ", and :N for the n-th time)");
  }

  @Override
  public void reach(Failpoint point) {
    if (point == where && left.decrementAndGet() == 0) {
      halt.run();
    }
  }
}
