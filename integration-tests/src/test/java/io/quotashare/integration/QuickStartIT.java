package io.quotashare.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotashare.integration.cluster.Clusters;
import io.quotashare.integration.cluster.CommandResult;
import io.quotashare.integration.cluster.Leftovers;
import io.quotashare.integration.cluster.Ports;
import io.quotashare.integration.cluster.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * docs/quick-start.md, typed command by command. Only ports and folders are others, and the host's
 * GPU is a stand-in.
 */
class QuickStartIT {
  @RegisterExtension final Clusters clusters = new Clusters();

  private final Queue<String> commands = new ArrayDeque<>(TypedCommands.of("docs/quick-start.md"));
  private final int port = Ports.free();
  private final int agentPort = Ports.free();
  private Path folder;
  private Terminal terminal;

  @BeforeEach
  void open() throws IOException {
    folder = clusters.folder();
    Path logs = Files.createDirectory(folder.resolve("logs"));
    Path gpu = folder.resolve("gpu");
    Files.writeString(
        gpu, "seed " + folder.getFileName() + "\nmodel h100\ndevices 1\nscan_processes on\n");
    terminal =
        new Terminal(
            logs,
            Map.of(
                "QUOTASHARE_SCHEDULER", "127.0.0.1:" + port,
                "QUOTASHARE_CONFIG", folder.resolve("config.yaml").toString(),
                "QS_NVML_STUB_CONFIG", gpu.toString()));
  }

  @AfterEach
  void close() {
    terminal.close();
  }

  @Test
  void thePageIsTrue() {
    next("mkdir").orFail();
    next("./quotashare server").orFail();
    next("./quotashare agent").orFail();
    next("until").orFail();
    assertThat(next("./quotashare nodes").orFail()).contains("gpu-01", "READY", "H100");

    next("cat >").orFail();
    assertThat(next("./quotashare plan").orFail()).contains("queues/lab/shares/product");
    assertThat(next("./quotashare apply").orFail()).contains("queues/lab/shares/training");
    next("./quotashare context set").orFail();
    next("./quotashare context use").orFail();

    assertThat(next("./quotashare submit").orFail().strip()).isEqualTo("night");
    await("night to run")
        .atMost(Duration.ofSeconds(60))
        .until(() -> terminal.run("./quotashare job get night").out().contains("RUNNING"));
    assertThat(next("./quotashare submit").orFail().strip()).isEqualTo("demo");
    assertThat(next("./quotashare jobs").orFail())
        .containsPattern("night +training .*RUNNING")
        .containsPattern("demo +product .*OBSERVE_ONLY");
    assertThat(next("./quotashare job explain").orFail())
        .contains("OBSERVE_ONLY", "night", "GPU-h");
    assertThat(next("./quotashare preemptions").orFail()).contains("night", "demo", "RECLAIM");

    next("sed").orFail();
    CommandResult plan = next("./quotashare plan");
    assertThat(plan.exitCode()).as(plan.toString()).isOne();
    assertThat(plan.out()).contains("night");
    next("./quotashare apply").orFail();
    assertThat(next("./quotashare job explain").orFail()).contains("night", "demo", "RECLAIM");
    await("demo to run")
        .atMost(Duration.ofSeconds(60))
        .until(() -> terminal.run("./quotashare job get demo").out().contains("RUNNING"));
    assertThat(next("./quotashare shares").orFail()).contains("lab: 1 GPU = 1 held");
    assertThat(next("./quotashare report").orFail()).contains("futile preemptions: 0");

    next("./quotashare job cancel").orFail();
    next("kill").orFail();
    terminal.run("wait").orFail();
    assertThat(commands).as("commands of the page that were not typed").isEmpty();
    terminal.close();
    await("all processes to end")
        .atMost(Duration.ofSeconds(30))
        .until(() -> Leftovers.of(folder).isEmpty());
  }

  /** Types the next command of the page, which must be this one. */
  private CommandResult next(String beginsWith) {
    String command = commands.remove();
    assertThat(command).startsWith(beginsWith);
    return terminal.run(
        command
            .replace("/tmp/qs", folder.resolve("qs").toString())
            .replace(
                "./quotashare server --dev",
                "./quotashare server --dev --listen 127.0.0.1:%d --agent-listen 127.0.0.1:%d --admin-listen 127.0.0.1:%d --http-listen 127.0.0.1:%d"
                    .formatted(port, agentPort, Ports.free(), Ports.free()))
            .replace(
                "./quotashare agent --dev",
                "./quotashare agent --dev --scheduler 127.0.0.1:%d --lock-dir %s --nvml-library node-agent/target/native/stub/libnvidia-ml.so.1"
                    .formatted(agentPort, folder.resolve("locks"))));
  }
}
