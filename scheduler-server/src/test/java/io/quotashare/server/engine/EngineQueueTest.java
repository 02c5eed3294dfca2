package io.quotashare.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.server.engine.EngineQueue.Lane;
import io.quotashare.server.engine.EngineQueue.Offer;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineQueueTest {
  private final EngineQueue queue = new EngineQueue(new EngineLimits(4, 3, 4));

  @Test
  void eachLaneHasItsBound() {
    assertThat(List.of(offer(Lane.CALLS), offer(Lane.CALLS), offer(Lane.CALLS), offer(Lane.CALLS)))
        .containsOnly(Offer.TAKEN);
    assertThat(offer(Lane.CALLS)).isEqualTo(Offer.FULL);
    assertThat(offer(Lane.REPORTS)).isEqualTo(Offer.TAKEN);
    assertThat(queue.size()).isEqualTo(5);
  }

  @Test
  void neitherLaneStarvesTheOther() {
    for (int i = 0; i < 4; i++) {
      offer(Lane.CALLS);
    }
    PendingCall<String> report = call();
    queue.offer(List.of(report), Lane.REPORTS);
    offer(Lane.REPORTS);
    offer(Lane.REPORTS);

    List<PendingCall<?>> first = queue.drain();
    List<PendingCall<?>> second = queue.drain();

    assertThat(first).hasSize(4).contains(report);
    assertThat(second).hasSize(3);
    assertThat(queue.drain()).isEmpty();
  }

  @Test
  void oneLaneMayFillABatchAlone() {
    for (int i = 0; i < 3; i++) {
      offer(Lane.REPORTS);
    }

    assertThat(queue.drain()).hasSize(3);
  }

  @Test
  void whatIsOfferedTogetherIsTakenTogether() {
    List<PendingCall<?>> five = List.of(call(), call(), call(), call(), call());
    offer(Lane.CALLS);
    queue.offer(List.of(call(), call(), call()), Lane.CALLS);
    queue.drain();
    offer(Lane.CALLS);
    queue.drain();

    assertThat(queue.offer(five, Lane.CALLS))
        .as("alone, it may be too large")
        .isEqualTo(Offer.TAKEN);
    assertThat(queue.size()).isEqualTo(5);
    assertThat(offer(Lane.CALLS)).isEqualTo(Offer.FULL);
    assertThat(queue.drain()).containsExactlyElementsOf(five);
    offer(Lane.CALLS);
    assertThat(queue.offer(five, Lane.CALLS)).as("it does not fit in").isEqualTo(Offer.FULL);
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void closedQueueTakesNothing() {
    offer(Lane.CALLS);
    queue.close();

    assertThat(offer(Lane.CALLS)).isEqualTo(Offer.CLOSED);
    assertThat(queue.drain()).hasSize(1);
  }

  private Offer offer(Lane lane) {
    return queue.offer(List.of(call()), lane);
  }

  private static PendingCall<String> call() {
    return new PendingCall<>(step -> decided -> "done", null);
  }
}
