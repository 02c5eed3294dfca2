package io.quotashare.integration;

import static io.quotashare.integration.ThreeTeams.HIGH;
import static io.quotashare.integration.ThreeTeams.LOW;
import static io.quotashare.integration.ThreeTeams.MED;
import static io.quotashare.integration.ThreeTeams.OWNER;
import static io.quotashare.integration.ThreeTeams.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.client.JobEvent;
import io.quotashare.client.JobEventType;
import io.quotashare.client.WaitingReason;
import io.quotashare.integration.cluster.AttemptHistory;
import io.quotashare.integration.cluster.Cluster;
import io.quotashare.integration.cluster.Clusters;
import io.quotashare.integration.cluster.History;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The three-team example, both variants, on real processes. */
class ThreeTeamsIT {
  /** Seconds of one device: what the two victims did between their last step and the save. */
  private static final double SLACK = 2;

  @RegisterExtension final Clusters clusters = new Clusters();

  @ParameterizedTest
  @EnumSource
  void lentDevicesComeBackAndNothingIsLost(ThreeTeams.Variant variant) {
    Cluster cluster = clusters.start(ThreeTeams.nodes());
    ThreeTeams teams = new ThreeTeams(cluster);
    teams.applyPolicy(variant);

    teams.play();

    assertThat(cluster.events().story()).isEqualTo(ThreeTeams.STORY);
    lowWaitedForNothingToBorrow(cluster);
    startedOnOwnAndBorrowed(cluster);
    Outcome.of(cluster).endsAsTheExampleSays();

    teams.finishAll();

    Outcome.of(cluster).allFinishedAndNothingLost();
    outputIsWhatTheJobWrote(cluster);
    assertThat(cluster.client().queues().usageReport(QUEUE).classes().lost())
        .as("lost device-seconds: every victim saved when it was asked")
        .isLessThan(SLACK);
    MetricsCheck.afterTheSequence(cluster);
  }

  private static void lowWaitedForNothingToBorrow(Cluster cluster) {
    JobEvent waiting = cluster.events().of(LOW, JobEventType.WAITING).get(0);
    assertThat(Objects.requireNonNull(waiting.job().waiting()).reason())
        .isEqualTo(WaitingReason.NOTHING_TO_BORROW);
  }

  private static void startedOnOwnAndBorrowed(Cluster cluster) {
    assertThat(List.of(HIGH, MED, OWNER, LOW))
        .extracting(job -> cluster.events().of(job, JobEventType.STARTED).get(0))
        .extracting(event -> event.ownDevices() + " own, " + event.borrowedDevices() + " borrowed")
        .containsExactly(
            "1 own, 0 borrowed", "0 own, 1 borrowed", "1 own, 0 borrowed", "1 own, 0 borrowed");
  }

  private static void outputIsWhatTheJobWrote(Cluster cluster) {
    for (AttemptHistory attempt : cluster.training().history()) {
      assertThat(History.output(cluster, QUEUE, attempt)).isEqualTo(attempt.text());
    }
  }
}
