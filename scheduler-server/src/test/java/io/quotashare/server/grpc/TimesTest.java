package io.quotashare.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class TimesTest {
  @Property(tries = 200)
  void millisecondsSurviveTheWayOutAndBack(
      @ForAll @LongRange(min = 0, max = 300_000_000_000L) long millis) {
    FieldChecks checks = new FieldChecks();

    assertThat(Times.millis(checks, "d", Times.duration(millis), 0, 300_000_000_000L))
        .isEqualTo(millis);
    assertThat(checks.isEmpty()).isTrue();
    assertThat(Times.millis(Times.timestamp(millis))).isEqualTo(millis);
  }

  @Property(tries = 500)
  void noDurationOverflowsOrPassesItsBounds(@ForAll long seconds, @ForAll int nanos) {
    FieldChecks checks = new FieldChecks();
    Duration duration = Duration.newBuilder().setSeconds(seconds).setNanos(nanos).build();

    long millis = Times.millis(checks, "d", duration, 10, 5_000);

    assertThat(millis).isBetween(10L, 5_000L);
  }

  @Test
  void messageNamesFieldValueAndRange() {
    FieldChecks checks = new FieldChecks();
    Times.millis(checks.in("spec"), "grace", Times.duration(7_000), 10, 5_000);

    assertThatThrownBy(checks::throwIfAny)
        .hasMessageContaining("spec.grace: 7 s (expected: 10 ms to 5 s, in whole milliseconds)");
  }
}
