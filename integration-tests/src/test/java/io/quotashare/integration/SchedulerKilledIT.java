package io.quotashare.integration;

import static io.quotashare.integration.ThreeTeams.HIGH;
import static io.quotashare.integration.ThreeTeams.MED;
import static io.quotashare.integration.ThreeTeams.OWNER;
import static io.quotashare.integration.ThreeTeams.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.client.JobEventType;
import io.quotashare.client.JobHandle;
import io.quotashare.client.JobResult;
import io.quotashare.client.SubmitOptions;
import io.quotashare.integration.cluster.Cluster;
import io.quotashare.integration.cluster.Clusters;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * SIGKILL of the scheduler in the middle of the three-team example, then a start on the same data:
 * the sequence still ends right (reliability S3, S5 to S9).
 */
class SchedulerKilledIT {
  private static final int RANDOM_KILLS = 3;

  @RegisterExtension final Clusters clusters = new Clusters();

  private Cluster cluster;
  private ThreeTeams teams;

  @BeforeEach
  void start() {
    cluster = clusters.start(ThreeTeams.nodes());
    teams = new ThreeTeams(cluster);
    teams.applyPolicy(ThreeTeams.Variant.LEND);
  }

  @Test
  void rightAfterASubmissionWasAcknowledged() {
    teams.fillBackground();
    UUID requestId = UUID.randomUUID();
    SubmitOptions options = SubmitOptions.defaults().withJobId(OWNER).withRequestId(requestId);
    JobHandle first = cluster.client().jobs().submit(teams.spec("vision", 1).build(), options);
    cluster.scheduler().killAndRestart();

    JobHandle again = cluster.client().jobs().submit(teams.spec("vision", 1).build(), options);

    assertThat(again.name()).as("the first answer").isEqualTo(first.name());
    teams.ownerRuns();
    teams.raiseLow();
    endsRight();
  }

  @Test
  void whileAVictimSaves() {
    teams.fillBackground("--hold-save");
    CompletableFuture<JobResult> result =
        cluster.client().jobs().awaitAsync(cluster.client().jobs().handle(QUEUE, MED).name());
    teams.ownerComes();
    cluster.training().awaitWord(MED, 1, "saving");
    cluster.scheduler().daemon().kill();
    // The victim saves and ends while nobody is there to hear it.
    cluster.training().allowSave(MED);
    cluster.training().awaitWord(MED, 1, "stopped");
    cluster.scheduler().start();
    teams.ownerRuns();

    teams.raiseLow();
    cluster.training().awaitWord(HIGH, 1, "saving");
    cluster.scheduler().killAndRestart();
    cluster.training().allowSave(HIGH);
    endsRight();

    assertThat(result)
        .as("a wait for the end outlives restarts")
        .succeedsWithin(30, TimeUnit.SECONDS)
        .matches(JobResult::succeeded);
  }

  @Test
  void betweenTheEndOfAVictimAndTheStartOfItsBeneficiary() {
    teams.fillBackground();
    teams.ownerComes();
    cluster.events().await(MED, JobEventType.STOPPED);
    cluster.scheduler().killAndRestart();
    teams.ownerRuns();

    teams.raiseLow();
    cluster.events().await(HIGH, JobEventType.STOPPED);
    cluster.scheduler().killAndRestart();
    endsRight();
  }

  @Test
  void atAnyPointOfTheSequence() throws Exception {
    long seed = Long.getLong("quotashare.seed", 20261201L);
    System.out.println("kills of the scheduler at random events: -Dquotashare.seed=" + seed);
    List<Integer> points =
        new Random(seed)
            .ints(1, ThreeTeams.STORY.size())
            .distinct()
            .limit(RANDOM_KILLS)
            .sorted()
            .boxed()
            .toList();
    CompletableFuture<Void> kills = CompletableFuture.runAsync(() -> points.forEach(this::killAt));

    teams.fillBackground();
    teams.ownerComes();
    teams.ownerRuns();
    teams.raiseLow();
    teams.lowRuns();
    kills.get(60, TimeUnit.SECONDS);
    endsRight();
  }

  /** Kills once so many events of the story were seen; the present state counts too. */
  private void killAt(int events) {
    cluster.events().await(events + " events", event -> true, events);
    cluster.scheduler().killAndRestart();
  }

  private void endsRight() {
    teams.lowRuns();
    Outcome.of(cluster).endsAsTheExampleSays();
    if (cluster.events().gaps() == 0) {
      assertThat(cluster.events().story()).isEqualTo(ThreeTeams.STORY);
    }
    teams.finishAll();
    Outcome.of(cluster).allFinishedAndNothingLost();
  }
}
