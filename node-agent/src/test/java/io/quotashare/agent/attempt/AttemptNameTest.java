package io.quotashare.agent.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttemptNameTest {
  @Test
  void shouldReadAndWriteTheSame() {
    AttemptName name = AttemptName.parse("queues/research/jobs/j-91c/attempts/12");
    assertThat(name).isEqualTo(new AttemptName("research", "j-91c", 12));
    assertThat(name).hasToString("queues/research/jobs/j-91c/attempts/12");
    assertThat(name.folder()).isEqualTo("research.j-91c.12");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "queues/q/jobs/j/attempts/0",
        "queues/q/jobs/j/attempts/-1",
        "queues/q/jobs/j/attempts/01",
        "queues/q/jobs/j/attempts/1234567890",
        "queues/q/jobs/../attempts/1",
        "queues/q/jobs/a.b/attempts/1",
        "queues/q/jobs/A/attempts/1",
        "queues/q/jobs/-a/attempts/1",
        "queues/q/jobs/j/attempts/1/",
        "queues/q/jobs/j/attempts/1\n",
        "queues/q/jobs/j\0/attempts/1",
        "queues/q/jobs/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/attempts/1"
      })
  void shouldLetNothingElseIn(String text) {
    assertThatThrownBy(() -> AttemptName.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("(expected: queues/{queue}/jobs/{job}/attempts/{number})");
  }
}
