package io.quotashare.agent.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SystemClockTest {
  @Test
  void shouldCountFromBoot() throws Exception {
    double uptimeSeconds =
        Double.parseDouble(Files.readString(Path.of("/proc/uptime")).split(" ")[0]);
    long bootMillis = new SystemClock().bootMillis();
    assertThat(bootMillis).isCloseTo((long) (uptimeSeconds * 1_000), within(2_000L));
  }

  @Test
  void shouldNotGoBack() {
    SystemClock clock = new SystemClock();
    long last = clock.bootMillis();
    for (int i = 0; i < 1_000; i++) {
      long now = clock.bootMillis();
      assertThat(now).isGreaterThanOrEqualTo(last);
      last = now;
    }
  }
}
