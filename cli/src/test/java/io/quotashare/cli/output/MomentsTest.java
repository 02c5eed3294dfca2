package io.quotashare.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MomentsTest {
  private static final Instant NOW = Instant.parse("2026-03-02T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "24h, 2026-03-01T12:00:00Z",
    "1h30m, 2026-03-02T10:30:00Z",
    "2026-03-01, 2026-02-28T22:00:00Z",
    "2026-03-01T12:00, 2026-03-01T10:00:00Z",
    "2026-03-01T12:00:05, 2026-03-01T10:00:05Z",
    "2026-03-01T12:00:00Z, 2026-03-01T12:00:00Z",
    "2026-03-01T12:00+01:00, 2026-03-01T11:00:00Z",
  })
  void readsDatesInstantsAndHowLongAgo(String text, Instant expected) {
    assertThat(Moments.parse(text, NOW, ZoneOffset.ofHours(2))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "2026-13-01", "2026-03-01 12:00", "T", "24", "-1h"})
  void refusesTheRest(String text) {
    assertThatThrownBy(() -> Moments.parse(text, NOW, ZoneOffset.UTC))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("\"" + text + "\" is not an instant such as 2026-03-01");
  }
}
