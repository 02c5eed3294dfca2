package io.quotashare.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotashare.integration.cluster.Clusters;
import io.quotashare.integration.cluster.CommandResult;
import io.quotashare.integration.cluster.Demo;
import io.quotashare.integration.cluster.Leftovers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code ./quotashare demo}, as a newcomer starts it. */
class DemoIT {
  private static final Duration AT_MOST = Duration.ofSeconds(90);

  @RegisterExtension final Clusters clusters = new Clusters();

  @Test
  void theLastLineSaysThatTheSequenceIsRight() {
    Demo demo = Demo.start(clusters.folder());

    CommandResult result = demo.await(AT_MOST);

    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.out().strip().lines().reduce("", (first, last) -> last))
        .isEqualTo("The sequence is right: all 16 expectations hold.");
    assertThat(result.out()).contains("stand-in").doesNotContain("✗");
    nothingIsLeft(demo);
  }

  @Test
  void keptItGoesOnUntilItIsStopped() {
    Demo demo = Demo.start(clusters.folder(), "--variant", "lend-and-borrow", "--keep");
    CommandResult result = demo.await(AT_MOST);
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.out()).contains("The sequence is right");

    List<String> next =
        result.out().lines().map(String::strip).filter(l -> l.startsWith("./quotashare ")).toList();
    assertThat(next).hasSizeGreaterThan(3);
    String stop = next.get(next.size() - 1);
    assertThat(stop).startsWith("./quotashare demo --stop ");
    assertThat(demo.type(next.get(0)).orFail()).contains("background", "vision", "serving");
    assertThat(Leftovers.of(demo.folder())).as("daemons, jobs").hasSizeGreaterThan(6);

    demo.type(stop).orFail();

    nothingIsLeft(demo);
  }

  @Test
  void ctrlCLeavesNothingBehind() {
    Demo demo = Demo.start(clusters.folder());
    await("the demo to be in the middle of its sequence")
        .atMost(AT_MOST)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> demo.output().contains("PREEMPTING"));

    demo.interrupt();

    CommandResult result = demo.await(AT_MOST);
    assertThat(result.exitCode()).as("as for every program that SIGINT ends").isEqualTo(130);
    nothingIsLeft(demo);
  }

  private static void nothingIsLeft(Demo demo) {
    Path folder = demo.folder();
    assertThat(Leftovers.of(folder)).isEmpty();
    assertThat(folder).as("the demo's own folders are in it").isEmptyDirectory();
  }
}
