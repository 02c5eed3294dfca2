package io.quotashare.core.property;

import static io.quotashare.core.property.JobSketch.NEVER;
import static io.quotashare.core.property.JobSketch.job;
import static io.quotashare.core.property.NodeSketch.node;
import static io.quotashare.core.property.QueueSketch.queue;
import static io.quotashare.core.property.ShareSketch.share;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.Effect;
import io.quotashare.core.JobEvent;
import io.quotashare.core.RejectedException;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Outcome;
import io.quotashare.core.model.Preemption;
import io.quotashare.core.model.StopCause;
import io.quotashare.core.model.WaitingReason;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What users do with jobs that were accepted: requeue, hold, ask to save, cancel. */
class SteeringTest {
  private final World world =
      new World(
          Setup.of(queue("q"))
              .with(share("s").owns("H100", 2).inShare())
              .with(node("n0").has(1, "H100"), node("n1").has(1, "H100")));

  // Requeue

  @Test
  void requeuedJobSavesFirstAndStartsAgainWithoutUseOfAnyBudget() {
    world.submit(job("a", "s").budget(0).saves(5_000).stops(1_000));

    world.requeue("a", false);
    assertThat(row("a").state()).isEqualTo(JobState.PREEMPTING);
    assertThat(attempt("a").stop().saveFirst()).isTrue();
    world.advance(6_000);

    assertThat(row("a"))
        .satisfies(
            a -> {
              assertThat(a.state()).isEqualTo(JobState.RUNNING);
              assertThat(a.attempts()).isEqualTo(2);
              assertThat(a.preemptions()).isZero();
              assertThat(a.failures()).isZero();
            });
    assertThat(stopped("a"))
        .satisfies(
            first -> {
              assertThat(first.outcome()).isEqualTo(Outcome.PREEMPTED);
              assertThat(first.lostDeviceMillis()).isZero();
              assertThat(first.endReason()).isEqualTo("requeued on request");
            });
    assertThat(preemption())
        .satisfies(
            p -> {
              assertThat(p.cause()).isEqualTo(StopCause.REQUESTED);
              assertThat(p.beneficiary()).isNull();
              assertThat(p.savedAtMillis()).hasValue(World.START_MILLIS + 5_000);
              assertThat(p.freedAtMillis()).hasValue(World.START_MILLIS + 6_000);
            });
  }

  @Test
  void requeuedJobReturnsToItsPlaceInTheLine() {
    world.submit(job("a", "s").gpus(1).nodes(2).stops(1_000));
    world.submit(job("b", "s").gpus(1).nodes(2));

    world.requeue("a", false);
    world.advance(1_000);

    assertThat(world.running()).containsExactly("a");
    assertThat(row("a").attempts()).isEqualTo(2);
  }

  @Test
  void requeuedAndHeldJobLetsOthersPassUntilItIsReleased() {
    world.submit(job("a", "s").nodes(2).stops(1_000));
    world.submit(job("b", "s").nodes(2));

    world.requeue("a", true);
    assertThat(row("a").held()).isTrue();
    world.advance(1_000);

    assertThat(world.running()).containsExactly("b");
    assertThat(row("a").waiting().reason()).isEqualTo(WaitingReason.HELD);
    world.release("a");
    world.exit("b", 0);
    assertThat(world.running()).containsExactly("a");
  }

  @Test
  void jobThatIsReleasedBeforeItHasStoppedStartsAgain() {
    world.submit(job("a", "s").stops(1_000));

    world.requeue("a", true);
    world.release("a");
    world.advance(1_000);

    assertThat(world.running()).containsExactly("a");
  }

  @Test
  void thereMustBeAnAttemptToStop() {
    world.submit(job("a", "s").nodes(2).stops(1_000));
    world.submit(job("b", "s"));
    world.submit(job("c", "s"));
    world.cancel("c");
    world.requeue("a", false);

    refuses(() -> requeue("a"), "JOB_STOPPING", "PREEMPTING already (REQUESTED)");
    refuses(() -> requeue("b"), "JOB_WAITING", "RUNNABLE: there is no attempt to stop");
    refuses(() -> requeue("c"), "JOB_ENDED", "CANCELLED");
    assertThatThrownBy(() -> requeue("x")).hasMessageContaining("queues/q/jobs/x");
  }

  @Test
  void jobOnASilentNodeQueuesAgainOnceItsLeaseIsOver() {
    world.submit(job("a", "s"));
    String node = attempt("a").parts().get(0).node();
    world.silent(node);
    assertThat(row("a").state()).isEqualTo(JobState.UNKNOWN);

    world.requeue("a", false);
    assertThat(row("a").state()).isEqualTo(JobState.PREEMPTING);
    world.lost(node);

    assertThat(world.running()).containsExactly("a");
    assertThat(attempt("a").parts().get(0).node()).isNotEqualTo(node);
  }

  // Hold

  @Test
  void onlyAJobThatWaitsCanBeHeld() {
    world.submit(job("a", "s"));

    refuses(
        () -> world.scheduler().hold(key("a"), world.now()),
        "JOB_NOT_WAITING",
        "only a job that waits can be held, and it is RUNNING");
  }

  // Cancel

  @Test
  void jobThatIsCancelledWhileItsGangFailsIsNotTriedAgain() {
    world.submit(job("a", "s").nodes(2).retries(3).stops(5_000));
    world.exitRank("a", 1, 7);
    assertThat(attempt("a").stop().cause()).isEqualTo(StopCause.GANG_FAILED);

    world.cancel("a");
    assertThat(row("a").state()).isEqualTo(JobState.STOPPING);
    assertThat(attempt("a").stop().requestSeq()).isEqualTo(2);
    world.advance(5_000);

    assertThat(row("a").state()).isEqualTo(JobState.CANCELLED);
    assertThat(row("a").attempts()).isEqualTo(1);
  }

  @Test
  void cancellingAgainChangesNothing() {
    world.submit(job("a", "s").stops(5_000));
    world.cancel("a");
    Attempt first = attempt("a");

    world.advance(1_000);
    world.cancel("a");

    assertThat(attempt("a").stop()).isEqualTo(first.stop());
    assertThat(world.scheduler().isCancellable(row("a"))).isFalse();
  }

  // Checkpoint

  @Test
  void runningJobSavesAndGoesOn() {
    world.submit(job("a", "s").nodes(2).saves(5_000));

    world.askToSave("a");
    assertThat(attempt("a").newestSaveRequest()).isEqualTo(1);
    assertThat(attempt("a").isSaveOutstanding()).isTrue();
    world.advance(5_000);

    assertThat(row("a").state()).isEqualTo(JobState.RUNNING);
    assertThat(attempt("a").progress().ackSeq()).isEqualTo(1);
    assertThat(attempt("a").isSaveOutstanding()).isFalse();
    assertThat(world.events()).extracting(JobEvent::type).contains(JobEvent.Type.CHECKPOINTED);
    // It prices the job from now on (quota-semantics 4.5 iii).
    assertThat(row("a").timings().saveMillis()).containsExactly(5_000L);
  }

  @Test
  void everyNodeIsToldAgainUntilTheJobConfirms() {
    world.submit(job("a", "s").nodes(2).saves(5_000));
    world.askToSave("a");

    assertThat(told("n0")).containsExactly("checkpoint 1");
    assertThat(told("n1")).containsExactly("checkpoint 1");
    world.restore();
    assertThat(told("n1")).containsExactly("checkpoint 1");
    world.advance(5_000);

    assertThat(told("n0")).isEmpty();
    assertThat(told("n1")).isEmpty();
  }

  @Test
  void oneRequestIsOutstandingAtMost() {
    world.submit(job("a", "s").saves(5_000));
    world.askToSave("a");

    refuses(() -> checkpoint("a"), "CHECKPOINT_OUTSTANDING", "request 1 to save");
    world.advance(5_000);
    world.askToSave("a");

    assertThat(attempt("a").newestSaveRequest()).isEqualTo(2);
  }

  @Test
  void stopTakesTheNextNumberAndEndsTheRequest() {
    world.submit(job("a", "s").saves(NEVER).stops(1_000).grace(10_000));
    world.askToSave("a");

    world.requeue("a", false);

    assertThat(attempt("a").stop().requestSeq()).isEqualTo(2);
    assertThat(attempt("a").newestSaveRequest()).isEqualTo(2);
    assertThat(told(attempt("a").parts().get(0).node())).containsExactly("stop 2");
    refuses(() -> checkpoint("a"), "JOB_NOT_RUNNING", "PREEMPTING");
    world.advance(10_000);
    assertThat(attempt("a").newestSaveRequest()).isZero();
  }

  @Test
  void jobThatEndsMeanwhileLeavesNothingToTell() {
    world.submit(job("a", "s").saves(5_000));
    world.askToSave("a");

    world.exit("a", 0);
    world.advance(5_000);

    assertThat(row("a").state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(told("n0")).isEmpty();
    assertThat(told("n1")).isEmpty();
  }

  @Test
  void onlyARunningJobThatTakesRequestsCanBeAsked() {
    world.submit(job("plain", "s"));
    world.submit(job("slow", "s").saves(0).starts(1_000));
    world.submit(job("waits", "s").saves(0));

    refuses(() -> checkpoint("plain"), "NO_ON_DEMAND_CHECKPOINT", "on_demand_checkpoint");
    refuses(() -> checkpoint("slow"), "JOB_NOT_RUNNING", "STARTING");
    refuses(() -> checkpoint("waits"), "JOB_NOT_RUNNING", "RUNNABLE");
  }

  // Words

  private void refuses(ThrowingCallable call, String reason, String words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RejectedException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(RejectedException.Kind.FAILED_PRECONDITION);
              assertThat(e.reason()).isEqualTo(reason);
              assertThat(e.metadata()).containsKey("state");
            })
        .hasMessageContaining(words);
  }

  private void requeue(String id) {
    world.scheduler().requeue(key(id), false, "", world.now());
  }

  private void checkpoint(String id) {
    world.scheduler().checkpoint(key(id), world.now());
  }

  /** What the agent of a node is told when it registers. */
  private List<String> told(String node) {
    return world.scheduler().effectsFor(node).stream().map(SteeringTest::words).toList();
  }

  private static String words(Effect effect) {
    if (effect instanceof Effect.Checkpoint save) {
      return "checkpoint " + save.attempt().newestSaveRequest();
    }
    return effect instanceof Effect.Stop stop
        ? "stop " + stop.attempt().stop().requestSeq()
        : "start";
  }

  private static JobKey key(String id) {
    return new JobKey("q", id);
  }

  private Job row(String id) {
    return world.job(id).orElseThrow();
  }

  private Attempt attempt(String id) {
    return world.attempt(id).orElseThrow();
  }

  /** The attempt that was stopped. */
  private Attempt stopped(String id) {
    return world.events().stream()
        .filter(event -> event.type() == JobEvent.Type.STOPPED)
        .filter(event -> event.job().key().equals(key(id)))
        .map(JobEvent::attempt)
        .findFirst()
        .orElseThrow();
  }

  private Preemption preemption() {
    return world.scheduler().preemptions().iterator().next();
  }
}
