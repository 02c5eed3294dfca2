package io.quotashare.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.integration.cluster.Cluster;
import io.quotashare.integration.cluster.ClusterSpec;
import io.quotashare.integration.cluster.Clusters;
import io.quotashare.integration.cluster.CommandResult;
import io.quotashare.integration.cluster.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every file under examples/ does what it is there for, typed as a person types it. */
class ExamplesIT {
  private static final Path EXAMPLES = Path.of("../examples");

  /** The demo plays it whole: {@link DemoIT}, {@link HandsOnIT}. */
  private static final List<String> OF_THE_DEMO = List.of("three-teams/train.py");

  @RegisterExtension final Clusters clusters = new Clusters();

  @Test
  void everyExampleRuns() throws IOException {
    Cluster cluster = clusters.start(ClusterSpec.ofNodes("node-a", "node-b", "node-c"));
    Map<String, String> environment = Map.of("QUOTASHARE_SCHEDULER", cluster.scheduler().address());
    try (Terminal terminal = new Terminal(cluster.folder(), environment)) {
      for (String example : examples()) {
        if (!OF_THE_DEMO.contains(example)) {
          run(terminal, example);
        }
      }
    }
  }

  private static void run(Terminal terminal, String example) {
    switch (example) {
      case "three-teams/policy-lend.yaml", "three-teams/policy-lend-and-borrow.yaml" ->
          assertThat(terminal.run("./quotashare apply -f examples/" + example).orFail())
              .contains("queues/research");
      case "jobs/training.yaml" -> {
        CommandResult result =
            terminal.run("./quotashare submit -f examples/" + example + " --wait --logs");
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(result.out()).contains("training", "done");
      }
      case "what-if/owner-takes-back.yaml" ->
          assertThat(terminal.run("./quotashare simulate --scenario examples/" + example).orFail())
              .contains("PREEMPTING  sweep-2", "Every expectation holds");
      case "java-launcher/TrainingLauncher.java" -> {
        String launcher = "java -cp 'cli/target/lib/*' examples/" + example;
        assertThat(terminal.run(launcher + " true").orFail()).contains("SUCCEEDED");
        CommandResult failed = terminal.run(launcher + " false");
        assertThat(failed.exitCode()).as(failed.toString()).isOne();
        assertThat(failed.out()).contains("FAILED");
      }
      default ->
          throw new AssertionError(
              "examples/" + example + " is run by no test: add it to this one");
    }
  }

  /** Policies first: the others need their shares. */
  private static List<String> examples() throws IOException {
    try (Stream<Path> files = Files.walk(EXAMPLES)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> EXAMPLES.relativize(file).toString())
          .filter(name -> !name.endsWith(".md"))
          .sorted((a, b) -> b.compareTo(a))
          .toList();
    }
  }
}
