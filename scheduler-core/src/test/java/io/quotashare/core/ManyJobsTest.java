package io.quotashare.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.WaitingReason;
import org.junit.jupiter.api.Test;

/** One pass starts whatever can start, however many jobs wait. */
class ManyJobsTest {
  private static final Shape ONE = new Shape(1, 1);

  /** kueue#14477: one start per share and pass left a deep share draining for hours. */
  @Test
  void aDeepShareDrainsInOnePass() {
    OneQueue queue = new OneQueue(64, 8, Ordering.STRICT);
    for (int i = 0; i < 600; i++) {
      queue.submit("j" + i, ONE, 0, 0, new RetryOn.Any());
    }
    queue.decide();
    assertThat(queue.scheduler.liveAttempts()).hasSize(512);
    assertThat(queue.job("j511").attempts()).isOne();
    assertThat(queue.job("j512").attempts()).isZero();
  }

  /** kueue#9715: ten thousand that can never run, and one that can. */
  @Test
  void theOneThatCanStartIsFoundBehindAllThatCannot() {
    OneQueue queue = new OneQueue(2, 4, Ordering.STRICT);
    for (int i = 0; i < 10_000; i++) {
      queue.submit("never" + i, new Shape(1, 8), 9, 0, new RetryOn.Any());
    }
    queue.submit("fits", ONE, 0, 0, new RetryOn.Any());
    queue.decide();
    assertThat(queue.job("fits").state()).isEqualTo(JobState.SCHEDULED);
    assertThat(queue.job("never9999").waiting().reason()).isEqualTo(WaitingReason.NO_NODE_FITS);
  }
}
