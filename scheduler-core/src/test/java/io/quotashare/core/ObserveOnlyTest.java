package io.quotashare.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Observation;
import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.StopCause;
import io.quotashare.core.model.WaitingReason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A queue that only observes: what is recorded, how often, and what ends it. */
class ObserveOnlyTest {
  private final Desk desk = new Desk();

  ObserveOnlyTest() {
    desk.queue(PreemptionMode.OBSERVE_ONLY);
    desk.share("owner", 4, true);
    desk.share("guest", 0, true);
    desk.node("n1", 4);
  }

  private List<ObservedPreemption> recorded() {
    return desk.changes(Change.ObservedPreemptionPut.class).stream()
        .map(Change.ObservedPreemptionPut::preemption)
        .toList();
  }

  @Test
  void aSetIsRecordedOnceForEachBeneficiary() {
    desk.submit("loan", "guest", 4, 0);
    desk.submit("mine", "owner", 4, 0);
    desk.decide();

    assertThat(recorded())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.victim().job().id()).isEqualTo("loan");
              assertThat(p.beneficiary()).isEqualTo(desk.key("mine"));
              assertThat(p.cause()).isEqualTo(StopCause.RECLAIM);
              assertThat(p.gpus()).isEqualTo(4);
            });
    assertThat(desk.job("mine").waiting().reason()).isEqualTo(WaitingReason.OBSERVE_ONLY);
    assertThat(desk.job("mine").waiting().detail()).contains("loan").contains("stops nobody");
    assertThat(desk.job("loan").state()).isEqualTo(JobState.SCHEDULED);

    for (int pass = 0; pass < 5; pass++) {
      desk.advance(10_000);
      desk.run("loan");
      desk.decide();
    }
    assertThat(desk.changes(Change.ObservedPreemptionPut.class)).hasSize(1);
    assertThat(desk.changes(Change.PlanPut.class)).isEmpty();
  }

  @Test
  void anotherBeneficiaryAndAnotherSetAreRecorded() {
    desk.submit("a", "guest", 2, 0);
    desk.submit("b", "guest", 2, 0);
    desk.submit("mine", "owner", 2, 0);
    desk.decide();
    String first = onlyVictim();

    // Its victim is gone and another job has taken the place: another set.
    desk.hold("mine");
    desk.end(first);
    desk.submit("c", "guest", 2, 0);
    desk.release("mine");
    desk.decide();

    assertThat(recorded()).hasSize(2);
    assertThat(recorded()).extracting(ObservedPreemption::decision).doesNotHaveDuplicates();
    assertThat(desk.scheduler().observations())
        .singleElement()
        .satisfies(o -> assertThat(o.recorded()).hasSize(2));
  }

  private String onlyVictim() {
    return recorded().get(0).victim().job().id();
  }

  @Test
  void aRestartRecordsNothingAgain() {
    desk.submit("loan", "guest", 4, 0);
    desk.submit("mine", "owner", 4, 0);
    desk.decide();
    desk.restart();

    desk.advance(1000);
    desk.run("loan");
    desk.decide();

    assertThat(recorded()).hasSize(1);
    assertThat(desk.job("mine").waiting().reason()).isEqualTo(WaitingReason.OBSERVE_ONLY);
    assertThat(desk.explain("mine").details()).anyMatch(d -> d.contains("It would stop loan"));
  }

  @Test
  void theRecordsOfOneWaitAreBounded() {
    desk.submit("loan-0", "guest", 4, 0);
    desk.submit("mine", "owner", 4, 0);
    for (int round = 1; round < Observation.MAX_RECORDED + 20; round++) {
      desk.hold("mine");
      desk.end("loan-" + (round - 1));
      desk.submit("loan-" + round, "guest", 4, 0);
      desk.release("mine");
      desk.decide();
    }
    assertThat(desk.job("mine").waiting().detail()).contains("loan-119");

    assertThat(recorded()).hasSize(Observation.MAX_RECORDED);
  }

  @Test
  void theExplanationNamesVictimsCostAndWhoWasNotChosen() {
    desk.submit("cheap", "guest", 2, 0);
    desk.submit("dear", "guest", 2, 0);
    desk.decide();
    desk.advance(60_000);
    desk.end("cheap");
    desk.submit("cheap-2", "guest", 2, 0);
    desk.decide();
    desk.advance(1000);
    desk.submit("mine", "owner", 2, 0);
    desk.decide();

    Explanation explanation = desk.explain("mine");
    assertThat(explanation.details())
        .anySatisfy(
            d ->
                assertThat(d)
                    .isEqualTo(
                        "It would stop cheap-2 (share guest, 2 GPUs, RECLAIM), which would cost"
                            + " 0.10 GPU-h."));
    assertThat(explanation.rejected()).extracting(r -> r.job().id()).contains("dear");
    assertThat(explanation.stopping()).isEmpty();
    assertThat(desk.explain("cheap-2").details())
        .contains("Its queue only observes; otherwise it would be stopped for mine.");
  }

  @Test
  void whatFreesItselfEndsTheObservation() {
    desk.submit("loan", "guest", 4, 0);
    desk.submit("mine", "owner", 4, 0);
    desk.decide();
    assertThat(desk.scheduler().observations()).hasSize(1);

    desk.end("loan");
    desk.decide();

    assertThat(desk.job("mine").state()).isEqualTo(JobState.SCHEDULED);
    assertThat(desk.scheduler().observations()).isEmpty();
    assertThat(desk.changes(Change.ObservationRemoved.class)).hasSize(1);
  }

  @Test
  void enforcingDecidesAtOnceAndForgetsWhatWasObserved() {
    desk.submit("loan", "guest", 4, 0);
    desk.submit("mine", "owner", 4, 0);
    desk.decide();

    desk.queue(PreemptionMode.ENFORCE);
    desk.decide();

    assertThat(desk.attempt("loan").state()).isEqualTo(AttemptState.PREEMPTING);
    assertThat(desk.job("mine").waiting().reason()).isEqualTo(WaitingReason.WAITING_FOR_PREEMPTION);
    assertThat(desk.scheduler().observations()).isEmpty();
  }

  @Test
  void drainNowIsRecordedOnceForEachSetAndStopsNobody() {
    desk.submit("own", "owner", 4, 0);
    desk.decide();

    desk.shareDrained("owner", 2);
    desk.decide();
    desk.shareDrained("owner", 2);
    desk.decide();

    assertThat(recorded())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.cause()).isEqualTo(StopCause.CAPACITY_LOWERED);
              assertThat(p.beneficiary()).isNull();
            });
    assertThat(desk.job("own").state()).isEqualTo(JobState.SCHEDULED);
  }

  @Test
  void whatPeopleAskForIsCarriedOut() {
    desk.submit("loan", "guest", 4, 0);
    desk.decide();

    desk.scheduler().orderNode("n1", Node.Order.DRAINING, desk.now());
    desk.decide();

    assertThat(desk.job("loan").state()).isEqualTo(JobState.PREEMPTING);
  }
}
