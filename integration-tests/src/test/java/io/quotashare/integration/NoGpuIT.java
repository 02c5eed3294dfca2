package io.quotashare.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotashare.client.DeviceState;
import io.quotashare.client.JobState;
import io.quotashare.client.Node;
import io.quotashare.client.NodeState;
import io.quotashare.integration.cluster.Cluster;
import io.quotashare.integration.cluster.ClusterSpec;
import io.quotashare.integration.cluster.Clusters;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A host without a GPU and without a device library: the agent says why, and keeps trying. */
class NoGpuIT {
  private static final String NODE = "node-a";

  @RegisterExtension final Clusters clusters = new Clusters();

  @Test
  void theAgentSaysWhyItHasNoDevicesAndTakesThemWhenTheyCome() {
    Cluster cluster = clusters.start(ClusterSpec.ofNodes(NODE).withDevices(NODE, 0));
    OneTeam team = OneTeam.of(cluster, 1);

    Node node = cluster.client().nodes().get(NODE);
    assertThat(node.state()).isEqualTo(NodeState.READY);
    assertThat(node.devices()).isEmpty();
    assertThat(node.nvmlState()).isEqualTo("LIBRARY_NOT_FOUND");
    assertThat(node.nvmlDetail()).contains("libnvidia-ml.so.1");
    assertThat(cluster.run("nodes").orFail()).contains(NODE, "LIBRARY_NOT_FOUND");
    assertThat(cluster.run("node", "get", NODE).orFail()).contains(node.nvmlDetail());
    assertThat(cluster.agent(NODE).daemon().output()).contains("LIBRARY_NOT_FOUND");

    cluster.agent(NODE).plugIn(1);

    await("the device to be found")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> !cluster.client().nodes().get(NODE).devices().isEmpty());
    assertThat(cluster.client().nodes().get(NODE))
        .satisfies(
            found -> {
              assertThat(found.nvmlState()).isEqualTo("OK");
              assertThat(found.devices())
                  .singleElement()
                  .satisfies(device -> assertThat(device.state()).isEqualTo(DeviceState.FREE));
            });
    assertThat(cluster.agent(NODE).daemon().isRunning()).as("without a restart").isTrue();
    team.run("job", team.job());
    team.finish("job");
    assertThat(cluster.client().jobs().handle(OneTeam.QUEUE, "job").get().state())
        .isEqualTo(JobState.SUCCEEDED);
  }
}
