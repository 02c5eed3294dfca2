package io.quotashare.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.quotashare.client.Attempt;
import io.quotashare.client.Job;
import io.quotashare.client.JobEventType;
import io.quotashare.client.JobHandle;
import io.quotashare.client.JobState;
import io.quotashare.client.NodeDevices;
import io.quotashare.client.Preemption;
import io.quotashare.integration.cluster.AttemptHistory;
import io.quotashare.integration.cluster.Cluster;
import io.quotashare.integration.cluster.ClusterSpec;
import io.quotashare.integration.cluster.Clusters;
import io.quotashare.integration.cluster.History;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A job on two nodes, whose processes meet at MASTER_ADDR and MASTER_PORT and make every step
 * together: started as one, stopped as one, resumed as one (quota-semantics 4.7).
 */
class GangIT {
  private static final String GANG = "gang";
  private static final String URGENT = "urgent";

  @RegisterExtension final Clusters clusters = new Clusters();

  private Cluster cluster;

  @Test
  void aGangStartsStopsAndResumesAsOne() {
    cluster = clusters.start(ClusterSpec.ofNodes("node-a", "node-b"));
    OneTeam team = OneTeam.of(cluster, 2);
    JobHandle gang = team.run(GANG, team.gang(2).priority(1));
    eachNodeKnowsItsPlace(1);

    team.run(URGENT, team.job().priority(5));
    assertThat(gang.get().state()).isEqualTo(JobState.RUNNABLE);
    assertThat(cluster.training().history(GANG, 1, 0).lastWord()).isEqualTo("stopped");
    assertThat(cluster.training().history(GANG, 1, 1).lastWord()).isEqualTo("stopped");
    team.finish(URGENT);
    cluster.events().awaitState(GANG, JobState.RUNNING, 2);
    cluster.training().awaitSteps(GANG, 2, 2);
    eachNodeKnowsItsPlace(2);
    team.finish(GANG);

    stoppedOnceAndWhole(gang.get());
    wentOnTogether();
    History.of(cluster).check();
    Ledger.of(cluster, OneTeam.QUEUE).check(2);
  }

  private void eachNodeKnowsItsPlace(int attempt) {
    AttemptHistory first = cluster.training().history(GANG, attempt, 0);
    AttemptHistory second = cluster.training().history(GANG, attempt, 1);
    for (AttemptHistory node : List.of(first, second)) {
      assertThat(node.fact("nodes")).isEqualTo("2");
      assertThat(node.fact("per_node")).isEqualTo("1");
      assertThat(node.fact("master")).matches("127\\.0\\.0\\.1:[1-9][0-9]+");
    }
    assertThat(first.fact("master")).isEqualTo(second.fact("master"));
    assertThat(first.fact("devices")).isNotEqualTo(second.fact("devices"));
    List<Attempt> attempts = attempts();
    assertThat(attempts.get(attempt - 1).placement())
        .extracting(NodeDevices::rank, NodeDevices::deviceUuids)
        .containsExactly(
            tuple(0, List.of(first.fact("devices"))), tuple(1, List.of(second.fact("devices"))));
  }

  private void stoppedOnceAndWhole(Job gang) {
    assertThat(gang.preemptionCount()).isOne();
    assertThat(gang.attemptCount()).isEqualTo(2);
    assertThat(cluster.events().of(GANG, JobEventType.PREEMPTING)).hasSize(1);
    assertThat(cluster.events().of(GANG, JobEventType.STOPPED)).hasSize(2);
    assertThat(cluster.client().queues().preemptions(OneTeam.QUEUE))
        .singleElement()
        .extracting(Preemption::jobId, Preemption::beneficiaryJob, Preemption::gpus)
        .containsExactly(GANG, URGENT, 2);
    assertThat(attempts().get(0).checkpointConfirmed()).isTrue();
  }

  private void wentOnTogether() {
    AttemptHistory before = cluster.training().history(GANG, 1, 0);
    assertThat(cluster.training().history(GANG, 1, 1).lastStep()).isEqualTo(before.lastStep());
    for (int rank = 0; rank < 2; rank++) {
      AttemptHistory after = cluster.training().history(GANG, 2, rank);
      assertThat(after.fact("resume")).isEqualTo("1");
      assertThat(after.firstStep()).isPositive().isEqualTo(before.lastStep());
      assertThat(after.lastWord()).isEqualTo("done");
      assertThat(History.output(cluster, OneTeam.QUEUE, after)).isEqualTo(after.text());
    }
  }

  private List<Attempt> attempts() {
    List<Attempt> attempts = new ArrayList<>();
    cluster.client().jobs().handle(OneTeam.QUEUE, GANG).attempts().forEach(attempts::add);
    return attempts;
  }
}
