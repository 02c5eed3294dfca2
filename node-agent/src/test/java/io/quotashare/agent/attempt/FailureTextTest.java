package io.quotashare.agent.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.agent.supervise.LaunchFailure;
import io.quotashare.agent.supervise.LaunchFailure.Stage;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A failed start is explained to somebody who sees nothing but the sentence. */
class FailureTextTest {
  private static String text(Stage stage, int errno, String detail, String program) {
    AttemptSpec spec =
        new AttemptSpec(
            AgentFixture.NAME,
            "s",
            List.of(),
            0,
            1,
            List.of(program),
            0,
            OptionalLong.empty(),
            false,
            0);
    return FailureText.of(
        new LaunchFailure(stage, errno, detail),
        new Attempt(spec, 0, 0),
        new AttemptSettings("n1", new JobUser("u", "/", "/usr/bin:/bin", "C"), 1, 1, 1, 1, 1),
        new DiskRunFolders(Path.of("target/unused/a"), Path.of("target/unused/c")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EXEC|2|train|command 'train' was not found on node n1: it is in none of /usr/bin:/bin",
        "EXEC|2|./train|command './train' was not found on node n1, or it is a script whose interpreter (#! line) is missing",
        "EXEC|13|/x|command '/x' cannot be run on node n1: permission denied",
        "EXEC|8|/x|command '/x' cannot be run on node n1: it is no program for this kind of host, or a script without a #! line",
        "EXEC|99|/x|command '/x' cannot be run on node n1: system error 99",
        "FORK|11|/x|the supervisor on node n1 failed at FORK: the host is out of processes",
        "INTERRUPTED|0|/x|the agent of node n1 was restarted during the start; nothing runs"
      })
  void shouldSayWhatAndWhere(Stage stage, int errno, String program, String expected) {
    assertThat(text(stage, errno, "", program)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void shouldHaveASentenceThatNamesTheNodeForEveryStage(Stage stage) {
    assertThat(text(stage, 2, "GPU-1", "x")).contains("node n1").hasSizeGreaterThan(20);
  }
}
