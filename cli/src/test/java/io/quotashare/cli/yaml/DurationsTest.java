package io.quotashare.cli.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "0s, 0",
    "10m, 600000",
    "1h, 3600000",
    "-60s, -60000",
    "1h30m, 5400000",
    "1.5h, 5400000",
    "250ms, 250",
    "2d, 172800000",
    "1m500ms, 60500",
    "0.001s, 1"
  })
  void parses(String text, long millis) {
    assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10",
        "s",
        "10 m",
        "1m1h",
        "1s1s",
        "0.5ms",
        "1w",
        "10M",
        "--1s",
        "+1s",
        "1e3s",
        "99999999999d",
        "40000d"
      })
  void refuses(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Durations.parse(text))
        .withMessageContaining("\"" + text + "\"");
  }

  @Property
  void whatIsFormattedIsReadBack(
      @ForAll @LongRange(min = -3_000_000_000_000L, max = 3_000_000_000_000L) long millis) {
    Duration duration = Duration.ofMillis(millis);
    assertThat(Durations.parse(Durations.format(duration))).isEqualTo(duration);
  }
}
