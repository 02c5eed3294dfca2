package io.quotashare.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotashare.client.JobEvent;
import io.quotashare.client.JobEventType;
import io.quotashare.client.JobHandle;
import io.quotashare.client.JobState;
import io.quotashare.client.NodeState;
import io.quotashare.integration.cluster.AttemptHistory;
import io.quotashare.integration.cluster.Cluster;
import io.quotashare.integration.cluster.ClusterSpec;
import io.quotashare.integration.cluster.Clusters;
import io.quotashare.integration.cluster.History;
import io.quotashare.integration.cluster.NodeAgent;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A node from which nothing is heard: its attempt ends itself when its lease is over, and only
 * afterwards it is started elsewhere (reliability A2, N2, N3).
 */
class NodeSilentIT {
  private static final String JOB = "training";

  @RegisterExtension final Clusters clusters = new Clusters();

  private Cluster cluster;
  private OneTeam team;

  @BeforeEach
  void start() {
    cluster =
        clusters.start(
            ClusterSpec.ofNodes("node-a", "node-b")
                .withServer("agents.suspectAfter", "1500ms")
                .withServer("agents.lostAfter", "5s")
                .withServer("agents.fenceMargin", "1s"));
    team = OneTeam.of(cluster, 2);
  }

  @Test
  void aFrozenAgentLosesItsAttemptToAnotherNode() {
    // Not even SIGTERM ends it: the supervisor must.
    JobHandle job = team.run(JOB, team.job("--ignore-term").grace(Duration.ofSeconds(4)));
    NodeAgent silent = nodeOf(job);
    silent.daemon().freeze();
    showsThatNothingIsHeard(job, silent);
    runsElsewhereOnlyAfterItsEnd(silent);

    silent.daemon().resume();

    comesBack(silent);
    team.finish(JOB);
    assertThat(job.get().attemptCount()).isEqualTo(2);
    History.of(cluster).check();
  }

  @Test
  void aDeadAgentLosesItsAttemptToAnotherNode() {
    JobHandle job = team.run(JOB, team.job().grace(Duration.ofSeconds(2)));
    NodeAgent silent = nodeOf(job);
    silent.daemon().kill();
    showsThatNothingIsHeard(job, silent);
    runsElsewhereOnlyAfterItsEnd(silent);

    silent.start();

    comesBack(silent);
    team.finish(JOB);
    assertThat(job.get().attemptCount()).isEqualTo(2);
    History.of(cluster).check();
  }

  @Test
  void aShortSilenceRestartsNothing() {
    JobHandle job = team.run(JOB, team.job().grace(Duration.ofSeconds(2)));
    NodeAgent silent = nodeOf(job);
    silent.daemon().freeze();
    showsThatNothingIsHeard(job, silent);

    silent.daemon().resume();

    comesBack(silent);
    await("the job to be seen running again")
        .atMost(Duration.ofSeconds(30))
        .until(() -> job.get().state() == JobState.RUNNING);
    team.finish(JOB);
    assertThat(cluster.events().of(JOB, JobEventType.STARTED)).hasSize(1);
    assertThat(job.get().attemptCount()).isOne();
    History.of(cluster).check();
  }

  private void showsThatNothingIsHeard(JobHandle job, NodeAgent silent) {
    await("the node to be suspect")
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> stateOf(silent) == NodeState.SUSPECT);
    JobEvent unknown = cluster.events().awaitState(JOB, JobState.UNKNOWN, 1);
    assertThat(unknown.job().attemptCount()).isOne();
    assertThat(job.explain().summary()).contains("nothing is heard from " + silent.node());
  }

  private void runsElsewhereOnlyAfterItsEnd(NodeAgent silent) {
    cluster.events().awaitState(JOB, JobState.RUNNING, 2);
    cluster.training().awaitSteps(JOB, 2, 2);
    assertThat(stateOf(silent)).isEqualTo(NodeState.LOST);
    AttemptHistory first = cluster.training().history(JOB, 1);
    AttemptHistory second = cluster.training().history(JOB, 2);
    assertThat(ProcessHandle.of(first.pid())).as("the process on the silent node").isEmpty();
    assertThat(second.beganAt()).isGreaterThan(first.lastSeenAt());
    assertThat(second.firstStep())
        .as("goes on from its last checkpoint")
        .isEqualTo(first.savedStep().orElseThrow());
  }

  private void comesBack(NodeAgent silent) {
    await("the node to be ready again")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> stateOf(silent) == NodeState.READY);
  }

  private NodeState stateOf(NodeAgent agent) {
    return cluster.client().nodes().get(agent.node()).state();
  }

  private NodeAgent nodeOf(JobHandle job) {
    return cluster.agent(
        Objects.requireNonNull(job.get().latestAttempt(), "no attempt").placement().get(0).node());
  }
}
