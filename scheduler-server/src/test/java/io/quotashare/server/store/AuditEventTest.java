package io.quotashare.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AuditEventTest {
  private static AuditEvent withDetail(String detail) {
    return SampleState.event("ann", "queues/q", detail);
  }

  @Test
  void cutsWhatIsTooLong() {
    String longest = "x".repeat(AuditEvent.MAX_TEXT_LENGTH);

    assertThat(withDetail(longest).detail()).isEqualTo(longest);
    assertThat(withDetail(longest + "y").detail())
        .hasSize(AuditEvent.MAX_TEXT_LENGTH)
        .endsWith("x... (cut)");
  }

  @Test
  void doesNotCutACharacterInHalf() {
    String detail = withDetail("😀".repeat(AuditEvent.MAX_TEXT_LENGTH)).detail();

    assertThat(detail.substring(detail.length() - 12)).isEqualTo("😀\ufffd... (cut)");
  }

  @Test
  void replacesWhatNoDatabaseTakes() {
    assertThat(withDetail("a\0b\ud83dc\ude00d😀").detail()).isEqualTo("a\ufffdb\ufffdc\ufffdd😀");
  }

  @Test
  void asksForWhoAndWhat() {
    assertThatThrownBy(() -> SampleState.event("", "queues/q", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("principal is empty");
    assertThatThrownBy(() -> new AuditEvent("ann", "", "", "", "", "", ""))
        .hasMessage("action is empty");
  }
}
