package io.quotashare.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JobSpecTest {
  private static JobSpec.Builder valid() {
    return JobSpec.builder("q", "s").gpus(1).command("train");
  }

  private static Arguments wrong(UnaryOperator<JobSpec.Builder> change, String message) {
    return Arguments.of(change, message);
  }

  static Stream<Arguments> wrongOnes() {
    return Stream.of(
        wrong(b -> b.priority(10_000), "priority: 10000 is not valid here, expected 0 to 9999"),
        wrong(b -> b.priority(-1), "priority: -1 is not valid here, expected 0 to 9999"),
        wrong(b -> b.gpus(0), "gpus: 0 is not valid here, expected 1 to 40960000"),
        wrong(
            b -> b.shape(2, 8),
            "gpus: 1 together with nodes or gpusPerNode, expected one of the two"),
        wrong(
            b -> b.command(),
            "command: 0 entries, expected a program and its arguments, 1 to 4096 entries"),
        wrong(b -> b.command(""), "command[0]: empty is not valid here, expected a program"),
        wrong(
            b -> b.command("a", "b\0c"),
            "command[1]: 3 bytes with a NUL, expected no NUL, at most 131071 bytes"),
        wrong(
            b -> b.command(Collections.nCopies(4097, "x")),
            "command: 4097 entries, expected a program and its arguments, 1 to 4096 entries"),
        wrong(
            b -> b.env("A-B", "1"),
            "env[A-B]: A-B is not valid here, expected a name of letters, digits and _, not"
                + " beginning with a digit"),
        wrong(
            b -> b.env("QS_JOB_ID", "1"),
            "env[QS_JOB_ID]: QS_JOB_ID is set by the scheduler or refused, expected another"),
        wrong(
            b -> b.workingDirectory("tmp"),
            "workingDirectory: tmp is not valid here, expected an absolute path of at most 4096"
                + " characters"),
        wrong(
            b -> b.name("x".repeat(129)),
            "name: "
                + "x".repeat(64)
                + "... is not valid here, expected one line of at most 128 characters"),
        wrong(b -> b.retries(11), "retries: 11 is not valid here, expected 0 to 10"),
        wrong(
            b -> b.preemptionRetriesBeforeTermination(-1),
            "preemptionRetriesBeforeTermination: -1 is not valid here, expected 0 or more"),
        wrong(
            b -> b.timeLimit(Duration.ZERO),
            "timeLimit: PT0S is not valid here, expected 1 ms to 315360000 s, in whole"
                + " milliseconds"),
        wrong(
            b -> b.grace(Duration.ofSeconds(-1)),
            "grace: PT-1S is not valid here, expected 0 s to 86400 s, in whole milliseconds"),
        wrong(
            b -> b.lostNever().lostAfter(Duration.ofMinutes(1)),
            "lostAfter: set together with lostNever, expected one of the two"));
  }

  @ParameterizedTest
  @MethodSource("wrongOnes")
  void whatIsWrongIsNamedWithFieldValueAndExpectation(
      UnaryOperator<JobSpec.Builder> change, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> change.apply(valid()).build())
        .withMessage(message);
  }

  @Test
  void everyProblemIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JobSpec.builder("", "a/b").priority(-1).build())
        .withMessageContaining("queue: \"\" is not a name")
        .withMessageContaining("share: \"a/b\" is not a name")
        .withMessageContaining("gpus: unset")
        .withMessageContaining("priority: -1")
        .withMessageContaining("command: 0 entries");
  }

  @Test
  void aShapeNeedsItsDevicesPerNode() {
    JobSpec onlyPerNode = JobSpec.builder("q", "s").shape(1, 4).command("train").build();

    assertThat(onlyPerNode.nodes()).isEqualTo(1);
    assertThat(onlyPerNode.gpusPerNode()).isEqualTo(4);
    assertThat(onlyPerNode.gpus()).isNull();
  }

  @Test
  void valuesAreKeptAndCopied() {
    JobSpec spec =
        valid()
            .priority(0)
            .unit("H100")
            .neverBorrow()
            .onDemandCheckpoint()
            .checkpointEvery(Duration.ofMinutes(10))
            .preemptionRetriesBeforeTermination(0)
            .label("team", "a")
            .build();

    assertThat(spec.priority()).isZero();
    assertThat(spec.preemptionRetriesBeforeTermination()).isZero();
    assertThat(spec.borrow()).isEqualTo(BorrowMode.NEVER);
    assertThat(spec.command()).isEqualTo(List.of("train")).isUnmodifiable();
    assertThat(spec.labels()).containsEntry("team", "a").isUnmodifiable();
  }

  @Test
  void aJobIdHasTheFormOfADnsLabel() {
    assertThat(SubmitOptions.defaults().withJobId("a-1").jobId()).isEqualTo("a-1");
    for (String wrong : List.of("", "A", "-a", "a-", "a_b", "a".repeat(64))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SubmitOptions.defaults().withJobId(wrong))
          .withMessageContaining("jobId: \"" + wrong + "\"");
    }
  }
}
