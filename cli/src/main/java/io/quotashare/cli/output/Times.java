package io.quotashare.cli.output;

import io.quotashare.cli.yaml.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Times for people. */
public final class Times {
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private Times() {}

  /**
   * The two largest units of the time from {@code from} to {@code to}, such as 1h20m; - for null.
   */
  public static String between(@Nullable Instant from, Instant to) {
    if (from == null) {
      return "-";
    }
    return rounded(Duration.between(from, to));
  }

  /** The two largest units, such as 42m or 1h20m or 3.5s. */
  public static String rounded(Duration duration) {
    long millis = Math.max(0, duration.toMillis());
    if (millis < 10_000) {
      return String.format(Locale.ROOT, "%.1fs", millis / 1000.0);
    }
    long seconds = millis / 1000;
    if (seconds < 3600) {
      return Durations.format(Duration.ofSeconds(seconds >= 600 ? seconds / 60 * 60 : seconds));
    }
    if (seconds < 86_400) {
      return Durations.format(Duration.ofSeconds(seconds / 60 * 60));
    }
    return Durations.format(Duration.ofSeconds(seconds / 3600 * 3600));
  }

  /** Time of day in the local zone; - for null. */
  public static String clock(@Nullable Instant time) {
    return time == null ? "-" : CLOCK.format(time.atZone(ZoneId.systemDefault()));
  }

  /** Date and time in the local zone; - for null. */
  public static String date(@Nullable Instant time) {
    return time == null ? "-" : DATE.format(time.atZone(ZoneId.systemDefault()));
  }

  /** A number with one digit after the point. */
  public static String oneDigit(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
