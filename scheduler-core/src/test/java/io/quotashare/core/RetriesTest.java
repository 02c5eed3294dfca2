package io.quotashare.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import java.util.Arrays;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which failures are tried again, and how often (aws-batch 16). */
class RetriesTest {
  private static final Shape ONE = new Shape(1, 1);

  private final OneQueue queue = new OneQueue(1, 1, Ordering.STRICT);

  @Test
  void twoRetriesAreThreeAttempts() {
    queue.submit("j", ONE, 0, 2, new RetryOn.Any());
    queue.decide();
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(queue.job("j").attempts()).isEqualTo(attempt);
      queue.run("j");
      queue.exit("j", 1);
    }
    assertThat(queue.job("j").state()).isEqualTo(JobState.FAILED);
    assertThat(queue.job("j").endReason()).isEqualTo("exited with 1");
  }

  @Test
  void onlyTheNamedExitCodesAreRetried() {
    queue.submit("j", ONE, 0, 5, new RetryOn.Only(codes(75)));
    queue.decide();
    queue.run("j");
    queue.exit("j", 75);
    assertThat(queue.job("j").attempts()).isEqualTo(2);
    queue.run("j");
    queue.exit("j", 1);
    assertThat(queue.job("j").state()).isEqualTo(JobState.FAILED);
    assertThat(queue.job("j").endReason()).isEqualTo("exited with 1, which is not retried");
  }

  @Test
  void allButTheNamedExitCodesAreRetried() {
    queue.submit("j", ONE, 0, 5, new RetryOn.Except(codes(2)));
    queue.decide();
    queue.run("j");
    queue.exit("j", 1);
    assertThat(queue.job("j").attempts()).isEqualTo(2);
    queue.run("j");
    queue.exit("j", 2);
    assertThat(queue.job("j").state()).isEqualTo(JobState.FAILED);
    assertThat(queue.job("j").endReason()).isEqualTo("exited with 2, which is not retried");
  }

  @Test
  void aSignalCountsAs128AndItsNumber() {
    queue.submit("j", ONE, 0, 5, new RetryOn.Only(codes(137)));
    queue.decide();
    queue.run("j");
    queue.kill("j", 9);
    assertThat(queue.job("j").attempts()).isEqualTo(2);
    queue.run("j");
    queue.kill("j", 11);
    assertThat(queue.job("j").state()).isEqualTo(JobState.FAILED);
    assertThat(queue.job("j").endReason()).isEqualTo("ended by signal 11, which is not retried");
  }

  @Test
  void whatHasNoExitCodeIsRetried() {
    queue.submit("j", ONE, 0, 1, new RetryOn.Only(codes(75)));
    queue.decide();
    queue.failToStart("j");
    assertThat(queue.job("j").attempts()).isEqualTo(2);
  }

  @Test
  void timeIsNoReasonForARetryOfASuccess() {
    queue.submit("j", ONE, 0, 5, new RetryOn.Any());
    queue.decide();
    queue.run("j");
    queue.exit("j", 0);
    assertThat(queue.job("j").state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(queue.job("j").attempts()).isOne();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 256, -1})
  void exitCodesAreOneTo255(int code) {
    assertThatThrownBy(() -> new RetryOn.Only(codes(code)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[" + code + "]")
        .hasMessageContaining("1 to 255");
  }

  private static NavigableSet<Integer> codes(int... codes) {
    NavigableSet<Integer> set = new TreeSet<>();
    Arrays.stream(codes).forEach(set::add);
    return set;
  }
}
