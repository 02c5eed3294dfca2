package io.quotashare.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.client.Attempt;
import io.quotashare.client.CallTimedOutException;
import io.quotashare.client.Job;
import io.quotashare.client.JobSpec;
import io.quotashare.client.JobState;
import io.quotashare.client.Preemption;
import io.quotashare.client.SchedulerUnavailableException;
import io.quotashare.client.SubmitOptions;
import io.quotashare.integration.cluster.Cluster;
import io.quotashare.integration.cluster.ClusterSpec;
import io.quotashare.integration.cluster.Clusters;
import io.quotashare.integration.cluster.Daemon;
import io.quotashare.integration.cluster.History;
import io.quotashare.integration.cluster.Reviver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Real processes that halt at every failpoint, one after the other, and are started again: a job is
 * stopped for a more important one, both end, and nothing is different from when nobody died
 * (reliability S1 to S10, A1). The failpoints are those of {@code io.quotashare.server.failpoint}
 * and of the agent's journal.
 */
class FailpointIT {
  private static final String NODE = "node-a";

  /** What the scheduler does in every batch; the numbers put the deaths all over the story. */
  private static final List<String> OF_SCHEDULER =
      List.of(
          "RECEIVED:6",
          "QUEUED:9",
          "DRAINED:12",
          "APPLIED:15",
          "DECIDED:10",
          "BEFORE_COMMIT:7",
          "IN_COMMIT:4",
          "COMMITTED:6",
          "LISTENER_TOLD:30",
          "BEFORE_COMMAND:2",
          "COMMAND_SENT:2",
          "BEFORE_ANSWER:8",
          "ANSWERED:5");

  private static final List<String> OF_AGENT =
      List.of(
          "BEFORE_START_INTENT:1",
          "AFTER_START_INTENT:1",
          "BEFORE_STARTED:1",
          "AFTER_STARTED:1",
          "BEFORE_REQUESTED:1",
          "AFTER_REQUESTED:1",
          "BEFORE_OVER:1",
          "AFTER_OVER:1",
          "BEFORE_ACKNOWLEDGED:1",
          "AFTER_ACKNOWLEDGED:1",
          "BEFORE_COMPACT:1",
          "AFTER_COMPACT:1");

  @RegisterExtension final Clusters clusters = new Clusters();

  private Cluster cluster;
  private OneTeam team;

  @BeforeEach
  void start() {
    cluster = clusters.start(ClusterSpec.ofNodes(NODE));
    team = OneTeam.of(cluster, 1);
  }

  @Test
  void schedulerHaltsAtEachStep() {
    haltAtEach(cluster.scheduler().daemon(), OF_SCHEDULER, 0);
  }

  /** A start in whose middle the agent dies is made again, without using a retry. */
  @Test
  void agentHaltsAtEachStep() {
    haltAtEach(cluster.agent(NODE).daemon(), OF_AGENT, 1);
  }

  private void haltAtEach(Daemon daemon, List<String> failpoints, int moreAttempts) {
    String undisturbed = play("undisturbed", 0);
    try (Reviver reviver = new Reviver(daemon, failpoints)) {
      reviver.begin();
      for (int i = 0; reviver.halted().size() < failpoints.size(); i++) {
        assertThat(i).as("stories, with deaths at " + reviver.halted()).isLessThan(40);
        assertThat(play("s" + i, moreAttempts))
            .as("story " + i + ", deaths so far: " + reviver.halted())
            .isEqualTo(undisturbed);
      }
      assertThat(reviver.halted()).isEqualTo(failpoints);
    }
    History.of(cluster).nothingRanTwice();
    Ledger.of(cluster, OneTeam.QUEUE).check(1);
  }

  /** One job is stopped for another, both end; how it came out. */
  private String play(String story, int moreAttempts) {
    String victim = story + "-victim";
    String urgent = story + "-urgent";
    submit(victim, team.job().priority(1));
    cluster.events().awaitState(victim, JobState.RUNNING, 1);
    submit(urgent, team.job().priority(5));
    cluster.events().awaitState(urgent, JobState.RUNNING, 1);
    cluster.training().finish(urgent);
    cluster.events().awaitState(urgent, JobState.SUCCEEDED, 1);
    cluster.events().awaitState(victim, JobState.RUNNING, 2);
    cluster.training().finish(victim);
    cluster.events().awaitState(victim, JobState.SUCCEEDED, 2);
    return reliably(() -> outcome(victim, moreAttempts) + "; " + outcome(urgent, moreAttempts))
        .replace(story, "");
  }

  private void submit(String id, JobSpec.Builder job) {
    SubmitOptions how = SubmitOptions.defaults().withJobId(id).withRequestId(UUID.randomUUID());
    JobSpec spec = job.build();
    reliably(() -> cluster.client().jobs().submit(spec, how));
  }

  /** Only attempts of which something ran count where a start may be made again. */
  private String outcome(String id, int moreAttempts) {
    Job job = cluster.client().jobs().handle(OneTeam.QUEUE, id).get();
    StringBuilder text = new StringBuilder();
    text.append(id).append(' ').append(job.state()).append(" preempted ");
    text.append(job.preemptionCount());
    int notStarted = 0;
    for (Attempt attempt : cluster.client().jobs().attempts(job.name())) {
      if (attempt.endReason().startsWith("could not start")) {
        notStarted++;
        continue;
      }
      text.append("; ").append(attempt.state()).append(' ').append(attempt.preemptionCause());
      text.append(" for ").append(attempt.beneficiaryJob());
      text.append(" exit ").append(attempt.state() == JobState.SUCCEEDED ? attempt.exitCode() : "");
      text.append(" saved ").append(attempt.checkpointConfirmed());
    }
    assertThat(notStarted)
        .as("starts of " + id + " that were made again")
        .isLessThanOrEqualTo(moreAttempts);
    List<String> preemptions = new ArrayList<>();
    for (Preemption preemption : cluster.client().queues().preemptions(OneTeam.QUEUE)) {
      if (preemption.jobId().equals(id)) {
        preemptions.add(preemption.beneficiaryJob() + " freed " + (preemption.freedAt() != null));
      }
    }
    return text.append(' ').append(preemptions).toString();
  }

  /** What a program does that knows that the scheduler may be away for some seconds. */
  private static <T> T reliably(Callable<T> call) {
    return Awaitility.await("an answer of the scheduler")
        .atMost(Duration.ofSeconds(60))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptionsMatching(
            e -> e instanceof SchedulerUnavailableException || e instanceof CallTimedOutException)
        .until(call, Objects::nonNull);
  }
}
