package io.quotashare.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.WaitingReason;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** While scheduling is paused nothing is decided, and what runs goes on. */
class PauseTest {
  private final Desk desk = new Desk();

  PauseTest() {
    desk.queue(PreemptionMode.ENFORCE);
    desk.share("owner", 4, true);
    desk.share("guest", 0, true);
    desk.node("n1", 4);
  }

  private WaitingReason reason(String job) {
    return desk.job(job).waiting().reason();
  }

  @Test
  void nothingStartsUntilItIsResumed() {
    desk.scheduler().pause("the switch is replaced", desk.now());
    desk.submit("a", "owner", 2, 0);
    desk.decide();

    assertThat(desk.job("a").state()).isEqualTo(JobState.RUNNABLE);
    assertThat(reason("a")).isEqualTo(WaitingReason.SCHEDULING_PAUSED);
    assertThat(desk.job("a").waiting().detail()).contains("the switch is replaced");
    assertThat(desk.effects()).isEmpty();

    desk.scheduler().resume(desk.now());
    desk.decide();
    assertThat(desk.job("a").state()).isEqualTo(JobState.SCHEDULED);
  }

  @Test
  void everyWaitingJobShowsItAndItsOwnReasonReturns() {
    desk.submit("runs", "owner", 4, 0);
    desk.submit("front", "owner", 4, 0);
    desk.submit("behind", "owner", 4, 0);
    desk.submit("held", "owner", 1, 0);
    desk.hold("held");
    desk.decide();
    assertThat(reason("behind")).isEqualTo(WaitingReason.BEHIND_FRONT_JOB);

    desk.scheduler().pause("", desk.now());
    desk.decide();
    for (String job : new String[] {"front", "behind", "held"}) {
      assertThat(reason(job)).as(job).isEqualTo(WaitingReason.SCHEDULING_PAUSED);
    }

    desk.scheduler().resume(desk.now());
    desk.decide();
    assertThat(reason("front")).isNotEqualTo(WaitingReason.SCHEDULING_PAUSED);
    assertThat(reason("behind")).isEqualTo(WaitingReason.BEHIND_FRONT_JOB);
    assertThat(reason("held")).isEqualTo(WaitingReason.HELD);
  }

  @Test
  void nobodyIsStoppedByDecision() {
    desk.submit("loan", "guest", 4, 0);
    desk.decide();
    desk.run("loan");
    desk.scheduler().pause("", desk.now());
    desk.submit("mine", "owner", 4, 0);
    desk.decide();

    assertThat(desk.job("loan").state()).isEqualTo(JobState.RUNNING);

    desk.scheduler().resume(desk.now());
    desk.decide();
    assertThat(desk.job("loan").state()).isEqualTo(JobState.PREEMPTING);
  }

  @Test
  void endsCancelsAndTimeLimitsGoOn() {
    desk.submit("ends", "owner", 1, 0);
    desk.submit("cancelled", "owner", 1, 0);
    desk.submit("limited", "owner", 1, 0, OptionalLong.of(60_000));
    desk.decide();
    desk.run("ends");
    desk.run("cancelled");
    desk.run("limited");
    desk.scheduler().pause("", desk.now());
    desk.decide();

    desk.end("ends");
    desk.scheduler().cancel(desk.key("cancelled"), "", desk.now());
    desk.decide();
    assertThat(desk.job("ends").state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(desk.job("cancelled").state()).isEqualTo(JobState.STOPPING);

    assertThat(desk.scheduler().nextWakeMillis()).hasValue(desk.now() + 60_000);
    desk.advance(60_000);
    desk.decide();
    assertThat(desk.attempt("limited").state()).isEqualTo(AttemptState.STOPPING);
  }

  @Test
  void aPlanWaitsWithWhatWasFreedForIt() {
    desk.submit("loan", "guest", 4, 0);
    desk.decide();
    desk.run("loan");
    desk.submit("mine", "owner", 4, 0);
    desk.decide();
    desk.scheduler().pause("", desk.now());
    desk.end("loan");
    desk.submit("other", "guest", 1, 0);
    desk.decide();

    assertThat(reason("mine")).isEqualTo(WaitingReason.SCHEDULING_PAUSED);
    assertThat(desk.scheduler().view("q").pools().get(0).heldForBeneficiary()).isEqualTo(4);

    desk.scheduler().resume(desk.now());
    desk.decide();
    assertThat(desk.job("mine").state()).isEqualTo(JobState.SCHEDULED);
  }

  @Test
  void aRestartKeepsThePauseAndDecidesNothing() {
    desk.scheduler().pause("the switch is replaced", desk.now());
    desk.submit("a", "owner", 1, 0);
    desk.decide();
    desk.restart();
    desk.submit("b", "owner", 1, 0);
    desk.decide();

    assertThat(desk.scheduler().paused())
        .hasValueSatisfying(p -> assertThat(p.reason()).isEqualTo("the switch is replaced"));
    assertThat(reason("a")).isEqualTo(WaitingReason.SCHEDULING_PAUSED);
    assertThat(reason("b")).isEqualTo(WaitingReason.SCHEDULING_PAUSED);

    desk.scheduler().resume(desk.now());
    desk.decide();
    assertThat(desk.job("a").state()).isEqualTo(JobState.SCHEDULED);
    assertThat(desk.job("b").state()).isEqualTo(JobState.SCHEDULED);
    desk.restart();
    assertThat(desk.scheduler().paused()).isEmpty();
  }

  @Test
  void pausingAgainChangesTheReasonAndNotSinceWhen() {
    desk.scheduler().pause("one", desk.now());
    desk.submit("a", "owner", 1, 0);
    desk.decide();
    long since = desk.scheduler().paused().orElseThrow().sinceMillis();
    desk.advance(1000);
    desk.scheduler().pause("two", desk.now());
    desk.decide();

    assertThat(desk.job("a").waiting().detail()).contains("two");
    assertThat(desk.scheduler().paused().orElseThrow().sinceMillis()).isEqualTo(since);
  }

  @Test
  void drainNowIsRefusedAndChangesNothing() {
    desk.submit("a", "owner", 4, 0);
    desk.decide();
    desk.scheduler().pause("", desk.now());

    assertThatThrownBy(() -> desk.shareDrained("owner", 2))
        .isInstanceOfSatisfying(
            RejectedException.class, e -> assertThat(e.reason()).isEqualTo("SCHEDULING_PAUSED"))
        .hasMessageContaining("drain_now: true");
    desk.decide();
    assertThat(desk.scheduler().share(new ShareKey("q", "owner")).orElseThrow().capacity("H100"))
        .isEqualTo(4);
    assertThat(desk.attempt("a").stop()).isNull();
  }

  @Test
  void aDisabledShareSaysSoFirst() {
    desk.scheduler().pause("", desk.now());
    desk.submit("a", "owner", 1, 0);
    desk.decide();
    desk.disable("owner");
    desk.decide();

    assertThat(reason("a")).isEqualTo(WaitingReason.SHARE_DISABLED);
  }
}
