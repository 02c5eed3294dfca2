package io.quotashare.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotashare.client.Attempt;
import io.quotashare.client.Job;
import io.quotashare.client.JobEventType;
import io.quotashare.client.JobHandle;
import io.quotashare.client.JobState;
import io.quotashare.integration.cluster.AttemptHistory;
import io.quotashare.integration.cluster.Cluster;
import io.quotashare.integration.cluster.ClusterSpec;
import io.quotashare.integration.cluster.Clusters;
import io.quotashare.integration.cluster.Daemon;
import io.quotashare.integration.cluster.History;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** SIGKILL of a node agent: its jobs go on, and it finds them again (reliability A1). */
class AgentKilledIT {
  private static final String NODE = "node-a";

  @RegisterExtension final Clusters clusters = new Clusters();

  private Cluster cluster;
  private OneTeam team;
  private Daemon agent;

  @BeforeEach
  void start() {
    cluster = clusters.start(ClusterSpec.ofNodes(NODE).withDevices(NODE, 2));
    team = OneTeam.of(cluster, 2);
    agent = cluster.agent(NODE).daemon();
  }

  @Test
  void itsJobsGoOnAndEndWithTheirExitCode() {
    JobHandle good = team.run("good", team.job());
    JobHandle bad = team.run("bad", team.job("--exit-code", "7"));
    agent.kill();
    AttemptHistory atTheKill = cluster.training().history("good", 1);
    cluster
        .training()
        .awaitSteps("good", 1, (int) (atTheKill.lastStep() - atTheKill.firstStep()) + 20);
    assertThat(ProcessHandle.of(atTheKill.pid())).as("the process of the job").isPresent();

    restartAgent();
    cluster.training().finish("good");
    cluster.training().finish("bad");

    assertThat(good.await(Duration.ofSeconds(60)).exitCode()).isZero();
    assertThat(bad.await(Duration.ofSeconds(60)))
        .satisfies(
            result -> {
              assertThat(result.state()).isEqualTo(JobState.FAILED);
              assertThat(result.exitCode()).isEqualTo(7);
              assertThat(result.reason()).contains("7");
            });
    assertThat(cluster.events().of("good", JobEventType.STARTED)).hasSize(1);
    History.of(cluster).check();
    assertThat(History.output(cluster, OneTeam.QUEUE, cluster.training().history("good", 1)))
        .as("output from before, during and after the absence of the agent")
        .isEqualTo(cluster.training().history("good", 1).text());
  }

  @Test
  void jobsThatEndedMeanwhileAreReported() {
    JobHandle good = team.run("good", team.job());
    JobHandle bad = team.run("bad", team.job("--exit-code", "7"));
    agent.kill();
    cluster.training().finish("good");
    cluster.training().finish("bad");
    cluster.training().awaitWord("good", 1, "done");
    cluster.training().awaitWord("bad", 1, "done");

    restartAgent();

    assertThat(good.await(Duration.ofSeconds(60)).exitCode()).isZero();
    assertThat(bad.await(Duration.ofSeconds(60)).exitCode()).isEqualTo(7);
    assertThat(good.get().attemptCount()).isOne();
    History.of(cluster).check();
  }

  @Test
  void aStopGoesOn() {
    team.run("other", team.job().priority(9));
    team.run("victim", team.job("--hold-save").priority(1));
    team.submit("urgent", team.job().priority(5));
    cluster.training().awaitWord("victim", 1, "saving");
    agent.kill();
    cluster.training().allowSave("victim");
    cluster.training().awaitWord("victim", 1, "stopped");

    restartAgent();

    cluster.events().awaitState("urgent", JobState.RUNNING, 1);
    team.finish("urgent");
    team.finish("victim");
    Attempt first = firstAttempt("victim");
    AttemptHistory history = cluster.training().history("victim", 1);
    assertThat(first.checkpointConfirmed()).isTrue();
    assertThat(first.checkpointStep()).isEqualTo(history.lastStep());
    assertThat(cluster.training().history("victim", 2).firstStep()).isEqualTo(history.lastStep());
    History.of(cluster).check();
  }

  /** The supervisor of the attempt needs no agent to keep the deadline. */
  @Test
  void aStopIsEnforcedWithoutTheAgent() {
    team.run("other", team.job().priority(9));
    team.run(
        "victim",
        team.job("--hold-save", "--ignore-term", "--save-every", "1000000")
            .priority(1)
            .grace(Duration.ofSeconds(4)));
    // Two seconds of work, seen by the scheduler, which no checkpoint will have kept.
    cluster.training().awaitSteps("victim", 1, 40);
    team.submit("urgent", team.job().priority(5));
    cluster.training().awaitWord("victim", 1, "saving");
    agent.kill();
    long pid = cluster.training().history("victim", 1).pid();
    await("SIGKILL of the victim")
        .atMost(Duration.ofSeconds(30))
        .until(() -> ProcessHandle.of(pid).isEmpty());

    restartAgent();

    cluster.events().awaitState("urgent", JobState.RUNNING, 1);
    Attempt first = firstAttempt("victim");
    assertThat(first.checkpointConfirmed()).isFalse();
    assertThat(first.lostDeviceSeconds()).as("lost work").isGreaterThan(1);
    History.of(cluster).check();
  }

  private void restartAgent() {
    cluster.agent(NODE).start();
    cluster.awaitNodes();
  }

  private Attempt firstAttempt(String job) {
    Job found = cluster.client().jobs().handle(OneTeam.QUEUE, job).get();
    assertThat(found.preemptionCount()).isOne();
    return Objects.requireNonNull(
        cluster.client().jobs().attempts(found.name()).iterator().next(), "no attempt");
  }
}
