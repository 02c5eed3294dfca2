package io.quotashare.core.property;

import static io.quotashare.core.property.JobSketch.job;
import static io.quotashare.core.property.NodeSketch.node;
import static io.quotashare.core.property.QueueSketch.queue;
import static io.quotashare.core.property.ShareSketch.share;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.WaitingReason;
import org.junit.jupiter.api.Test;

/** A restart finds nodes in the queues in which they were. */
class RestoredNodesTest {
  /** The world compares the restored scheduler with the one before (V12). */
  @Test
  void aNodeThatLeftItsQueueStaysAwayThoughAnAttemptHadAPartThere() {
    World world =
        new World(
            Setup.of(queue("q"), queue("q2").pool("two"))
                .with(share("s0"))
                .with(node("n0").has(4, "H100"), node("n2")));
    world.update(node("n2").has(4, "H100"));
    world.submit(job("gang", "s0").nodes(2).grace(1000).saves(30000));
    world.requeue("gang", false);
    world.silent("n2");
    world.advance(10000);
    world.submit(job("single", "s0"));
    world.register(node("n0").has(4, "H100").pool("two"));

    world.restore();

    assertThat(world.scheduler().queueOf("n0")).contains("q2");
    assertThat(world.scheduler().job(new JobKey("q", "single")).orElseThrow().waiting().reason())
        .isEqualTo(WaitingReason.FRAGMENTED);
  }
}
