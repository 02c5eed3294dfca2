package io.quotashare.core.property;

import static io.quotashare.core.property.JobSketch.job;
import static io.quotashare.core.property.NodeSketch.node;
import static io.quotashare.core.property.QueueSketch.queue;
import static io.quotashare.core.property.ShareSketch.share;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.model.Waiting;
import io.quotashare.core.model.WaitingReason;
import org.junit.jupiter.api.Test;

/**
 * A start that borrows gives no victims to a job of another share that had none (quota-semantics
 * 6.6 and docs/design-decisions.md). In each of these worlds a small loan would put its share one
 * device above its limit, and cost it the large job beside it.
 */
class ShortLoansTest {
  private static World world(ShareSketch a, ShareSketch b) {
    return new World(
        Setup.of(queue("q")).with(a, b).with(node("n0").has(4, "H100"), node("n1").has(2, "H100")));
  }

  private static World world() {
    return world(share("a").owns("H100", 3).inShare(), share("b").owns("H100", 3).inShare());
  }

  @Test
  void loanWaitsWhileItWouldCostItsShareALargerJob() {
    World world = world();
    world.submit(job("a1", "a").gpus(3).priority(1));
    world.submit(job("b1", "b"));
    world.submit(job("b2", "b").gpus(3).priority(1));
    assertThat(world.waiting()).containsExactly("b2");

    world.submit(job("a2", "a"));

    assertThat(world.stops()).isEmpty();
    assertThat(world.running()).containsExactly("a1", "b1");
    Waiting waiting = world.job("a2").orElseThrow().waiting();
    assertThat(waiting.reason()).isEqualTo(WaitingReason.NOTHING_TO_BORROW);
    assertThat(waiting.detail())
        .isEqualTo(
            "1 H100 are unused, but not lent to it: job b2 of share b would stop jobs of share a at"
                + " once to take them back");
  }

  @Test
  void loanIsMadeOnceNobodyWouldTakeItBack() {
    World world = world();
    world.submit(job("a1", "a").gpus(3).priority(1));
    world.submit(job("b1", "b"));
    world.submit(job("b2", "b").gpus(3).priority(1));
    world.submit(job("a2", "a"));

    world.cancel("b2");

    assertThat(world.running()).containsExactly("a1", "a2", "b1");
    assertThat(world.stops()).isEmpty();
  }

  @Test
  void whoIsBeingStoppedCountsAsIfItWaited() {
    World world = world();
    world.submit(job("a1", "a").gpus(3).priority(1).stops(30_000));
    world.submit(job("a2", "a"));
    world.submit(job("b2", "b").gpus(3).priority(1));
    assertThat(world.preempting()).containsExactly("a1");

    world.submit(job("b3", "b"));
    assertThat(world.waiting()).containsExactly("b2", "b3");
    world.advance(60_000);

    assertThat(world.running()).containsExactly("a2", "b2");
    assertThat(world.waiting()).containsExactly("a1", "b3");
    assertThat(world.stops()).containsExactly("a1");
  }

  @Test
  void whoOvertakesBorrowsNothingThatWouldBeTakenBack() {
    World world =
        world(
            share("a").owns("H100", 3).inShare().backfill(), share("b").owns("H100", 3).inShare());
    world.submit(job("a1", "a").gpus(3).priority(1).timeLimit(60_000));
    world.submit(job("b1", "b"));
    world.submit(job("b2", "b").gpus(3).priority(1));
    world.submit(job("next", "a").gpus(3).priority(1));

    world.submit(job("a2", "a").timeLimit(1_000));

    assertThat(world.running()).containsExactly("a1", "b1");
    assertThat(world.stops()).isEmpty();
    assertThat(world.job("a2").orElseThrow().waiting().reason())
        .isEqualTo(WaitingReason.BEHIND_FRONT_JOB);
  }

  @Test
  void minRuntimeOfTheLoanDoesNotHideThatItWouldBeTakenBack() {
    World world =
        world(
            share("a").owns("H100", 3).inShare().minRuntime(10_000),
            share("b").owns("H100", 3).inShare());
    world.submit(job("a1", "a").gpus(3).priority(1));
    world.submit(job("b1", "b"));
    world.submit(job("b2", "b").gpus(3).priority(1));

    world.submit(job("a2", "a"));
    world.advance(60_000);

    assertThat(world.running()).containsExactly("a1", "b1");
    assertThat(world.stops()).isEmpty();
  }

  @Test
  void whatOnlyObservesLendsAsEver() {
    World world =
        new World(
            Setup.of(queue("q").observesOnly())
                .with(share("a").owns("H100", 3).inShare(), share("b").owns("H100", 3).inShare())
                .with(node("n0").has(4, "H100"), node("n1").has(2, "H100")));
    world.submit(job("a1", "a").gpus(3).priority(1));
    world.submit(job("b1", "b"));
    world.submit(job("b2", "b").gpus(3).priority(1));

    world.submit(job("a2", "a"));

    assertThat(world.running()).containsExactly("a1", "a2", "b1");
  }

  @Test
  void twoJobsWhoseSharesBorrowWithSmallOnesDoNotStopEachOther() {
    World world =
        new World(
            Setup.of(queue("q"))
                .with(share("s3").owns("H100", 8).inShare(), share("s4"), share("s5"))
                .with(
                    node("n0").has(7, "H100"),
                    node("n1").has(5, "H100"),
                    node("n2").has(7, "H100")));
    world.submit(job("j5", "s3").gpus(3));
    world.submit(job("j7", "s5").gpus(6).priority(9999));
    world.submit(job("j13", "s3").nodes(2).priority(9999));
    world.submit(job("j15", "s5").gpus(2));
    world.together(
        () -> {
          world.submit(job("j16", "s4").gpus(1).priority(1).grace(10_000).stops(0));
          world.putShare(share("s4").owns("H100", 5).reserve().inShare().weight(3));
        });
    world.submit(job("j28", "s4").nodes(3).priority(2));
    world.putShare(share("s5").owns("H100", 7).inShare());
    world.submit(job("j34", "s3").gpus(5).priority(2));
    assertThat(world.stops()).containsExactly("j16", "j7");

    world.submit(job("j42", "s3"));

    assertThat(world.stops()).containsExactly("j16", "j7");
    assertThat(world.waiting()).containsExactly("j42", "j7");
  }
}
