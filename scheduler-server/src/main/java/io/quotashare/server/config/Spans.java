package io.quotashare.server.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Time spans as people write them: {@code 500ms}, {@code 10s}, {@code 1h30m}, {@code 2d}. */
final class Spans {
  private static final Pattern WHOLE = Pattern.compile("([0-9]{1,12}(ms|s|m|h|d))+");
  private static final Pattern PIECE = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");

  private static final Map<String, Long> MILLIS = new LinkedHashMap<>();

  static {
    MILLIS.put("d", 86_400_000L);
    MILLIS.put("h", 3_600_000L);
    MILLIS.put("m", 60_000L);
    MILLIS.put("s", 1_000L);
    MILLIS.put("ms", 1L);
  }

  private Spans() {}

  static Optional<Duration> parse(String text) {
    if (!WHOLE.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      Duration sum = Duration.ZERO;
      Matcher pieces = PIECE.matcher(text);
      while (pieces.find()) {
        long unit = MILLIS.getOrDefault(pieces.group(2), 1L);
        sum = sum.plusMillis(Math.multiplyExact(Long.parseLong(pieces.group(1)), unit));
      }
      return Optional.of(sum);
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }

  static String write(Duration duration) {
    long left = duration.toMillis();
    if (left == 0) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, Long> unit : MILLIS.entrySet()) {
      long count = left / unit.getValue();
      if (count > 0) {
        text.append(count).append(unit.getKey());
        left %= unit.getValue();
      }
    }
    return text.toString();
  }
}
