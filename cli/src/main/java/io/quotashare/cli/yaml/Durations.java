package io.quotashare.cli.yaml;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: {@code 90s}, {@code 10m}, {@code 1h30m}, {@code 1.5h}, {@code
 * 250ms}, {@code -60s}.
 */
public final class Durations {
  /** What a message says was expected. */
  public static final String EXPECTED = "a duration such as 90s, 10m, 1h30m or 250ms";

  private static final Pattern WHOLE =
      Pattern.compile("(-?)((?:[0-9]+(?:\\.[0-9]+)?(?:d|h|ms|m|s))+)");
  private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(d|h|ms|m|s)");
  private static final String UNITS_LARGEST_FIRST = "d h m s ms";

  /** About 100 years: keeps sums of a few durations inside the range of a long of milliseconds. */
  private static final long MAX_MILLIS = 100L * 365 * 24 * 3600 * 1000;

  private Durations() {}

  /**
   * Parses a duration; units d, h, m, s, ms, each at most once, the largest first. Resolution is a
   * millisecond, the largest value about 100 years.
   *
   * @throws IllegalArgumentException naming the text and what was expected
   */
  public static Duration parse(String text) {
    Matcher whole = WHOLE.matcher(text);
    if (!whole.matches()) {
      throw new IllegalArgumentException("\"" + text + "\" is not " + EXPECTED);
    }
    BigDecimal millis = BigDecimal.ZERO;
    int previous = -1;
    Matcher part = PART.matcher(whole.group(2));
    while (part.find()) {
      int unit = unitIndex(part.group(2));
      if (unit <= previous) {
        throw new IllegalArgumentException(
            "\"" + text + "\" must name each unit once, the largest first, as in 1h30m");
      }
      previous = unit;
      millis =
          millis.add(
              new BigDecimal(part.group(1))
                  .multiply(BigDecimal.valueOf(unitMillis(part.group(2)))));
    }
    if (millis.stripTrailingZeros().scale() > 0) {
      throw new IllegalArgumentException("\"" + text + "\" is finer than one millisecond");
    }
    if (millis.compareTo(BigDecimal.valueOf(MAX_MILLIS)) > 0) {
      throw new IllegalArgumentException("\"" + text + "\" is longer than 100 years");
    }
    long value = millis.longValueExact();
    return Duration.ofMillis(whole.group(1).isEmpty() ? value : -value);
  }

  /** The shortest form that {@link #parse} reads back as the same duration, to the millisecond. */
  public static String format(Duration duration) {
    long millis = duration.toMillis();
    if (millis == 0) {
      return "0s";
    }
    StringBuilder out = new StringBuilder(millis < 0 ? "-" : "");
    long rest = Math.abs(millis);
    for (String unit : UNITS_LARGEST_FIRST.split(" ")) {
      long size = unitMillis(unit);
      if (rest >= size) {
        out.append(rest / size).append(unit);
        rest %= size;
      }
    }
    return out.toString();
  }

  private static int unitIndex(String unit) {
    return switch (unit) {
      case "d" -> 0;
      case "h" -> 1;
      case "m" -> 2;
      case "s" -> 3;
      default -> 4;
    };
  }

  private static long unitMillis(String unit) {
    return switch (unit) {
      case "d" -> 24L * 3600 * 1000;
      case "h" -> 3600L * 1000;
      case "m" -> 60L * 1000;
      case "s" -> 1000L;
      case "ms" -> 1L;
      default -> throw new IllegalArgumentException("unknown unit " + unit);
    };
  }
}
