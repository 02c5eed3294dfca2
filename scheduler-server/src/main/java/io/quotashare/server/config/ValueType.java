package io.quotashare.server.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the value of a key is written.
 *
 * @param <T> what it is read as
 */
interface ValueType<T> {
  long MINUTE_MILLIS = 60_000;
  long HOUR_MILLIS = 60 * MINUTE_MILLIS;

  /** What a good value looks like, for messages and for the documentation. */
  String expected();

  /** The value; empty if the text is none. */
  Optional<T> parse(String text);

  /** The value as it is written in the file. */
  String write(T value);

  /** Yes or no. */
  static ValueType<Boolean> bool() {
    return of(
        "true or false",
        text ->
            text.equals("true") || text.equals("false")
                ? Optional.of(text.equals("true"))
                : Optional.empty(),
        String::valueOf);
  }

  /** A whole number. */
  static ValueType<Integer> integer(int min, int max) {
    return of(
        min + " to " + max,
        text -> {
          try {
            int value = Integer.parseInt(text);
            return value >= min && value <= max ? Optional.of(value) : Optional.empty();
          } catch (NumberFormatException e) {
            return Optional.empty();
          }
        },
        String::valueOf);
  }

  /** A time span, such as {@code 500ms}, {@code 10s}, {@code 1h30m}. */
  static ValueType<Duration> duration(Duration min, Duration max) {
    return of(
        Spans.write(min) + " to " + Spans.write(max),
        text ->
            Spans.parse(text)
                .filter(value -> value.compareTo(min) >= 0 && value.compareTo(max) <= 0),
        Spans::write);
  }

  /** A time span of whole minutes of which an hour is a multiple. */
  static ValueType<Duration> partOfHour() {
    return of(
        "1m to 1h, a whole part of an hour",
        text ->
            Spans.parse(text)
                .filter(
                    value ->
                        value.toMillis() > 0
                            && value.toMillis() % MINUTE_MILLIS == 0
                            && HOUR_MILLIS % value.toMillis() == 0),
        Spans::write);
  }

  /** A folder or file. */
  static ValueType<Path> path() {
    return of(
        "a path",
        text -> {
          try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
          } catch (InvalidPathException e) {
            return Optional.empty();
          }
        },
        Path::toString);
  }

  /** Where to listen. */
  static ValueType<ListenAddress> address() {
    return of(
        "HOST:PORT, such as 127.0.0.1:7070; port 0 takes a free one",
        ListenAddress::parse,
        ListenAddress::toString);
  }

  /** A range of ports, such as {@code 20000-29999}. */
  static ValueType<PortRange> ports() {
    Pattern pattern = Pattern.compile("([0-9]{4,5})-([0-9]{4,5})");
    return of(
        "FIRST-LAST within 1024-65535",
        text -> {
          Matcher matcher = pattern.matcher(text);
          if (!matcher.matches()) {
            return Optional.empty();
          }
          int first = Integer.parseInt(matcher.group(1));
          int last = Integer.parseInt(matcher.group(2));
          return first >= 1024 && first <= last && last <= 65_535
              ? Optional.of(new PortRange(first, last))
              : Optional.empty();
        },
        range -> range.first() + "-" + range.last());
  }

  /** A range of ports, both ends included. */
  record PortRange(int first, int last) {}

  private static <T> ValueType<T> of(
      String expected,
      java.util.function.Function<String, Optional<T>> parse,
      java.util.function.Function<T, String> write) {
    return new ValueType<>() {
      @Override
      public String expected() {
        return expected;
      }

      @Override
      public Optional<T> parse(String text) {
        return parse.apply(text);
      }

      @Override
      public String write(T value) {
        return write.apply(value);
      }
    };
  }
}
