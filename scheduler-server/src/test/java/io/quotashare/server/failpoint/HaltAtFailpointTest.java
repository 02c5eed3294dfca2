package io.quotashare.server.failpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.server.config.ConfigException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HaltAtFailpointTest {
  private final AtomicInteger halts = new AtomicInteger();

  @Test
  void haltsAtTheNthTimeAndOnce() {
    Failpoints failpoints = HaltAtFailpoint.of("COMMITTED:3", halts::incrementAndGet);
    for (int i = 0; i < 2; i++) {
      failpoints.reach(Failpoint.COMMITTED);
      failpoints.reach(Failpoint.IN_COMMIT);
    }
    assertThat(halts).hasValue(0);
    failpoints.reach(Failpoint.COMMITTED);
    failpoints.reach(Failpoint.COMMITTED);
    assertThat(halts).hasValue(1);
  }

  @Test
  void haltsAtTheFirstTimeWithoutANumber() {
    HaltAtFailpoint.of("DRAINED", halts::incrementAndGet).reach(Failpoint.DRAINED);
    assertThat(halts).hasValue(1);
  }

  @Test
  void anyOtherFormIsRefusedWithTheNamesThatThereAre() {
    for (String bad : new String[] {"NOWHERE", "committed", "COMMITTED:0", "COMMITTED:", ":1"}) {
      assertThatThrownBy(() -> HaltAtFailpoint.of(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(bad)
          .hasMessageContaining("RECEIVED")
          .hasMessageContaining("ANSWERED");
    }
  }

  @Test
  void isForDevelopmentModeAlone() {
    assertThat(FailpointModule.of("", false)).isSameAs(Failpoints.NONE);
    assertThat(FailpointModule.of("COMMITTED", true)).isInstanceOf(HaltAtFailpoint.class);
    assertThatThrownBy(() -> FailpointModule.of("COMMITTED", false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--dev");
    assertThatThrownBy(() -> FailpointModule.of("NOWHERE", true))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("quotashare.failpoint");
  }
}
