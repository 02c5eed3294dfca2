package io.quotashare.core.property;

import static io.quotashare.core.property.JobSketch.job;
import static io.quotashare.core.property.NodeSketch.node;
import static io.quotashare.core.property.QueueSketch.queue;
import static io.quotashare.core.property.ShareSketch.share;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.RejectedException;
import io.quotashare.core.Removal;
import io.quotashare.core.UsageReport;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.ShareKey;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Removing shares and queues (quota-semantics 9.3). A twin that is made from the rows between any
 * two steps must say the same, so each of these is a test of restarts, too.
 */
class RemovalTest {
  private static final ShareKey A = new ShareKey("q", "a");
  private static final long FAR = JobSketch.NEVER;

  private final World world =
      new World(
          Setup.of(queue("q"), queue("q2").pool("two"))
              .with(share("a").owns(2), share("b").owns(4), share("c").queue("q2").owns(1))
              .with(node("n1").has(4), node("n2").has(4).pool("two")));

  @Test
  void whatWaitsIsCancelledWhatRunsIsStoppedAndThenItIsGone() {
    world.submit(job("runs", "a").gpus(2).grace(10_000).stops(FAR));
    world.submit(job("fills", "b").gpus(2));
    world.submit(job("waits", "a").gpus(2));
    world.submit(job("held", "a").gpus(1));
    world.hold("held");

    world.removeShare("q", "a");
    world.restore();

    assertThat(states("waits", "held", "runs"))
        .containsExactly(JobState.CANCELLED, JobState.CANCELLED, JobState.STOPPING);
    assertThat(reason("waits")).contains("its share is being removed");
    assertThat(world.scheduler().share(A).orElseThrow().state()).isEqualTo(AdminState.REMOVING);

    world.advance(9_999);
    assertThat(world.scheduler().share(A)).isPresent();
    world.advance(1);

    assertThat(states("runs")).containsExactly(JobState.CANCELLED);
    assertThat(world.scheduler().share(A)).isEmpty();
    world.restore();
    assertThat(world.job("runs")).isPresent();
  }

  @Test
  void whoEndsBadlyMeanwhileIsNotQueuedAgain() {
    world.submit(job("fails", "a").gpus(1).retries(5).stops(FAR).grace(60_000));
    world.submit(job("lost", "a").gpus(1).retries(5).stops(FAR).grace(60_000));
    world.removeShare("q", "a");
    world.restore();

    world.exit("fails", 1);
    world.lost("n1");

    assertThat(states("fails", "lost")).containsOnly(JobState.CANCELLED);
    assertThat(world.scheduler().share(A)).isEmpty();
  }

  @Test
  void jobsWhoseGangBrokeBeforeAreNotQueuedAgain() {
    World two =
        new World(
            Setup.of(queue("q"))
                .with(share("a").owns(2))
                .with(node("n1").has(1), node("n2").has(1)));
    two.submit(job("gang", "a").gpus(1).nodes(2).retries(5).stops(FAR).grace(60_000));
    two.exitRank("gang", 0, 1);
    assertThat(two.in(JobState.STOPPING)).containsExactly("gang");

    two.removeShare("q", "a");
    two.restore();
    two.advance(60_000);

    assertThat(two.in(JobState.CANCELLED)).containsExactly("gang");
    assertThat(two.scheduler().share(A)).isEmpty();
  }

  @Test
  void planOfAShareThatIsRemovedIsVoidAndWhatComesFreeServesOthers() {
    world.submit(job("borrows", "b").gpus(4).stops(FAR).grace(60_000));
    world.submit(job("wants", "a").gpus(2));
    assertThat(world.in(JobState.PREEMPTING)).isEmpty();
    world.putShare(share("b").owns(2));
    assertThat(world.in(JobState.PREEMPTING)).containsExactly("borrows");

    world.removeShare("q", "a");
    world.restore();

    assertThat(states("wants")).containsExactly(JobState.CANCELLED);
    assertThat(world.scheduler().share(A)).isEmpty();
    world.advance(60_000);
    assertThat(states("borrows")).containsExactly(JobState.RUNNING);
  }

  @Test
  void onlyADisabledShareCanBeRemoved() {
    refused("SHARE_NOT_DISABLED", () -> world.scheduler().removeShare(A, world.now()));
    refused("NOT_FOUND", () -> world.scheduler().removeShare(key("x"), world.now()));
    assertThat(world.scheduler().share(A).orElseThrow().state()).isEqualTo(AdminState.ENABLED);
  }

  @Test
  void shareOnItsWayOutAcceptsNothingAndCanBeMadeAnewWhenItIsGone() {
    world.submit(job("runs", "a").gpus(1).stops(FAR).grace(60_000));
    world.removeShare("q", "a");
    JobSketch late = job("late", "a").gpus(1);

    refused("SHARE_BEING_REMOVED", () -> world.scheduler().removeShare(A, world.now()));
    refused(
        "SHARE_BEING_REMOVED",
        () -> world.scheduler().putShare(share("a").build(), false, world.now()));
    refused(
        "SHARE_DISABLED",
        () ->
            world
                .scheduler()
                .checkSubmit(new io.quotashare.core.model.JobKey("q", "late"), late.spec(), 0));

    world.stopNow("runs");
    world.putShare(share("a").owns(3));
    world.submit(job("again", "a").gpus(3));
    world.restore();
    assertThat(states("again")).containsExactly(JobState.RUNNING);
  }

  @Test
  void previewSaysWhatIsCancelledAndStopped() {
    world.submit(job("fills", "b").gpus(2));
    world.submit(job("runs", "a").gpus(2));
    world.submit(job("w1", "a").gpus(2));
    world.submit(job("w2", "a").gpus(2));
    world.putShare(share("a").owns(2).disabled());

    assertThat(world.scheduler().previewRemoval(A)).isEqualTo(new Removal(2, 1));
    assertThat(states("runs", "w1")).containsExactly(JobState.RUNNING, JobState.RUNNABLE);
  }

  @Test
  void accountsOfARemovedShareStayInTheSums() {
    world.submit(job("runs", "a").gpus(2));
    world.advance(10_000);
    world.removeShare("q", "a");
    world.stopNow("runs");
    world.restore();
    world.advance(5_000);

    UsageReport.ShareUse use = use("a");
    assertThat(use.meter().own()).isEqualTo(20_000);
    assertThat(use.classes().total()).isEqualTo(20_000);

    world.putShare(share("a").owns(2));
    world.submit(job("later", "a").gpus(1));
    world.advance(1_000);
    assertThat(use("a").meter().own()).isEqualTo(21_000);
  }

  @Test
  void prunedQueueGoesWithItsLastShareAndItsNodesGoToTheOthers() {
    world.putQueue(queue("q2").pool("two"));
    world.submit(job("runs", "c").queue("q2").gpus(1).stops(FAR).grace(60_000));
    world.advance(1_000);

    world.prune(queue("q"), 1);
    world.restore();

    assertThat(world.scheduler().share(key("b"))).isEmpty();
    assertThat(queues()).containsEntry("q2", AdminState.REMOVING);
    assertThat(world.scheduler().queueOf("n2")).contains("q2");
    world.advance(60_000);
    assertThat(states("runs")).containsExactly(JobState.CANCELLED);
    assertThat(queues()).containsOnlyKeys("q");
    assertThat(world.scheduler().queueOf("n2")).contains("q");
    world.restore();

    world.putQueue(queue("q2").pool("two"));
    world.restore();
    assertThat(world.scheduler().queueOf("n2")).contains("q2");
    assertThat(
            world.scheduler().usage("q2", world.now()).shares().stream()
                .mapToLong(use -> use.classes().total())
                .sum())
        .isEqualTo(61_000);
  }

  private static ShareKey key(String share) {
    return new ShareKey("q", share);
  }

  private Map<String, AdminState> queues() {
    Map<String, AdminState> result = new TreeMap<>();
    for (Queue queue : world.scheduler().queues()) {
      result.put(queue.name(), queue.state());
    }
    return result;
  }

  private UsageReport.ShareUse use(String share) {
    return world.scheduler().usage("q", world.now()).shares().stream()
        .filter(use -> use.meter().share().equals(key(share)))
        .findFirst()
        .orElseThrow();
  }

  private String reason(String id) {
    return world.job(id).map(Job::endReason).orElse("");
  }

  private List<JobState> states(String... ids) {
    return List.of(ids).stream().map(id -> world.job(id).orElseThrow().state()).toList();
  }

  private static void refused(String reason, Runnable step) {
    assertThatThrownBy(step::run)
        .isInstanceOfSatisfying(
            RejectedException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }
}
