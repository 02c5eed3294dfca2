package io.quotashare.cli.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import io.quotashare.cli.CliRunner;
import io.quotashare.cli.ExitCode;
import io.quotashare.client.fake.FakeJobs;
import io.quotashare.proto.admin.v1.CordonNodeRequest;
import io.quotashare.proto.admin.v1.DrainNodeRequest;
import io.quotashare.proto.admin.v1.FenceNodeRequest;
import io.quotashare.proto.admin.v1.UncordonNodeRequest;
import io.quotashare.proto.v1.DeviceState;
import io.quotashare.proto.v1.Node;
import io.quotashare.proto.v1.NodeDevice;
import io.quotashare.proto.v1.NodeState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeCommandsTest {
  private final CliRunner cli = new CliRunner();

  @BeforeEach
  void putNodes() {
    cli.scheduler.queues.nodes.add(
        Node.newBuilder()
            .setName("nodes/n1")
            .setState(NodeState.NODE_STATE_READY)
            .setQueue("q")
            .putLabels("pool", "research")
            .addDevices(
                NodeDevice.newBuilder()
                    .setUuid("GPU-1")
                    .setUnit("H100")
                    .setState(DeviceState.DEVICE_STATE_HELD)
                    .setJob("j-1")
                    .setShare("background"))
            .addDevices(
                NodeDevice.newBuilder()
                    .setUuid("GPU-2")
                    .setIndex(1)
                    .setUnit("H100")
                    .setState(DeviceState.DEVICE_STATE_OUTSIDE)
                    .setHealthDetail("process 4711 uses it"))
            .setLastHeartbeat(Timestamp.newBuilder().setSeconds(FakeJobs.EPOCH_SECOND + 2518))
            .setNvmlState("OK")
            .build());
    cli.scheduler.queues.nodes.add(
        Node.newBuilder()
            .setName("nodes/n2")
            .setState(NodeState.NODE_STATE_LOST)
            .setNvmlState("LIBRARY_NOT_FOUND")
            .setNvmlDetail("install the driver")
            .build());
  }

  @AfterEach
  void close() {
    cli.close();
  }

  @Test
  void theTableCountsDevices() {
    assertThat(cli.run("nodes").out())
        .isEqualTo(
            """
            NODE  STATE  QUEUE  UNITS  GPUS  HELD  FREE  OUTSIDE  UNHEALTHY  HEARD     DEVICE LIBRARY
            n1    READY  q      H100      2     1     0        1          0  2.0s ago  OK
            n2    LOST   -                0     0     0        0          0  - ago     LIBRARY_NOT_FOUND: install the driver
            """);
    assertThat(cli.run("nodes", "-o", "wide").out()).contains("pool=research");
    assertThat(cli.run("nodes", "-o", "json").out()).contains("\"state\": \"NODE_STATE_LOST\"");
  }

  @Test
  void oneNodeShowsItsDevices() {
    assertThat(cli.run("node", "get", "n1").out())
        .contains("labels          pool=research")
        .contains("GPU-1")
        .contains("process 4711 uses it");
    assertThat(cli.run("node", "get", "none").code()).isEqualTo(ExitCode.REFUSED);
  }

  @Test
  void nodesAreTakenOutAndBack() {
    assertThat(cli.run("node", "cordon", "n1", "n2").err())
        .contains("n1 is cordoned: it takes nothing new, what runs goes on\n")
        .contains("n2 is cordoned");
    assertThat(cli.run("node", "uncordon", "n1").err()).isEqualTo("n1 takes work again\n");
    assertThat(cli.run("node", "drain", "n1").err()).contains("n1 is being drained");
    assertThat(cli.run("node", "fence", "n2").err()).contains("n2 is fenced");

    assertThat(cli.scheduler.requests(CordonNodeRequest.class)).hasSize(2);
    assertThat(cli.scheduler.requests(UncordonNodeRequest.class)).hasSize(1);
    assertThat(cli.scheduler.requests(DrainNodeRequest.class)).hasSize(1);
    assertThat(cli.scheduler.requests(FenceNodeRequest.class).get(0).getName())
        .isEqualTo("nodes/n2");
    assertThat(cli.run("node", "cordon", "none").code()).isEqualTo(ExitCode.REFUSED);
  }

  @Test
  void theSchedulerSaysHowItIs() {
    assertThat(cli.run("admin", "status").out())
        .contains("epoch             3")
        .contains("leads for         1m");
  }
}
