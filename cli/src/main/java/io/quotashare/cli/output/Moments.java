package io.quotashare.cli.output;

import io.quotashare.cli.yaml.Durations;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;

/** Instants as people name them. */
public final class Moments {
  /** What a message says was expected. */
  public static final String EXPECTED =
      "an instant such as 2026-03-01, 2026-03-01T12:00, 2026-03-01T12:00:00Z, or 24h for 24 hours"
          + " ago";

  private Moments() {}

  /**
   * The instant that a text names: a date or a date with time in the zone, an instant with Z or an
   * offset, or how long before {@code now}.
   *
   * @throws IllegalArgumentException naming the text and what was expected
   */
  public static Instant parse(String text, Instant now, ZoneId zone) {
    try {
      if (!text.contains("-")) {
        return now.minus(Durations.parse(text));
      }
      if (!text.contains("T")) {
        return LocalDate.parse(text).atStartOfDay(zone).toInstant();
      }
      boolean zoned = text.matches(".*T.*(Z|[+-][0-9]{2}:[0-9]{2})");
      return zoned
          ? OffsetDateTime.parse(text).toInstant()
          : LocalDateTime.parse(text).atZone(zone).toInstant();
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new IllegalArgumentException("\"" + text + "\" is not " + EXPECTED, e);
    }
  }
}
