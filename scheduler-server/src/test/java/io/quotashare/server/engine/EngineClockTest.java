package io.quotashare.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.server.FakeClock;
import org.junit.jupiter.api.Test;

class EngineClockTest {
  private final FakeClock machine = new FakeClock();

  @Test
  void stepsOfTheWallClockChangeNothing() {
    EngineClock clock = new EngineClock(machine, 0);
    long begun = clock.nowMillis();

    machine.setWallMillis(begun - 86_400_000);
    machine.advance(5);

    assertThat(clock.nowMillis()).isEqualTo(begun + 5);
  }

  @Test
  void beginsNotBeforeWhatIsDurable() {
    long durable = machine.wallMillis() + 3_600_000;

    EngineClock clock = new EngineClock(machine, durable);
    machine.advance(10);

    assertThat(clock.nowMillis()).isEqualTo(durable + 10);
  }

  @Test
  void instantsGoBothWays() {
    EngineClock clock = new EngineClock(machine, 0);
    long later = clock.nowMillis() + 1_234;

    assertThat(clock.atNanos(clock.nanosAt(later))).isEqualTo(later);
    assertThat(clock.atNanos(clock.monotonicNanos())).isEqualTo(clock.nowMillis());
  }
}
