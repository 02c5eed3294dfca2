package io.quotashare.agent.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class JournalFailpointTest {
  private final AtomicInteger halts = new AtomicInteger();

  @Test
  void shouldHaltAtTheNthTimeAndOnce() {
    Consumer<JournalFailpoint> action =
        JournalFailpoint.action("AFTER_OVER:2", halts::incrementAndGet);
    action.accept(JournalFailpoint.AFTER_OVER);
    action.accept(JournalFailpoint.BEFORE_OVER);
    assertThat(halts).hasValue(0);
    action.accept(JournalFailpoint.AFTER_OVER);
    action.accept(JournalFailpoint.AFTER_OVER);
    assertThat(halts).hasValue(1);
  }

  @Test
  void shouldDoNothingUnlessAsked() {
    Consumer<JournalFailpoint> action = JournalFailpoint.action("", halts::incrementAndGet);
    for (JournalFailpoint point : JournalFailpoint.values()) {
      action.accept(point);
    }
    assertThat(halts).hasValue(0);
  }

  @Test
  void shouldRefuseAnyOtherFormWithTheNamesThatThereAre() {
    for (String bad : new String[] {"NOWHERE", "AFTER_OVER:0", "after_over", ":1"}) {
      assertThatThrownBy(() -> JournalFailpoint.action(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(bad)
          .hasMessageContaining("BEFORE_START_INTENT")
          .hasMessageContaining("AFTER_COMPACT");
    }
  }
}
