package io.quotashare.integration.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ./quotashare demo}, as a newcomer runs it. */
class DemoIT {
  private static final Duration LONG = Duration.ofMinutes(3);
  private static final int SIGINT_EXIT_CODE = 130;

  @TempDir private Path folder;

  @BeforeEach
  void require() {
    Installation.require();
  }

  @AfterEach
  void killWhatIsLeft() {
    Leftovers.kill(folder);
  }

  /** The demo makes its own folder under this one, so that its processes are found by it. */
  private Process start(String... arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(Installation.launcher(arguments));
    builder.environment().putAll(Installation.environment());
    builder
        .environment()
        .merge(
            "QUOTASHARE_JAVA_OPTS",
            "-Djava.io.tmpdir=" + folder,
            (options, more) -> options + " " + more);
    return builder
        .redirectInput(new File("/dev/null"))
        .redirectOutput(out().toFile())
        .redirectError(folder.resolve("err").toFile())
        .start();
  }

  private Path out() {
    return folder.resolve("out");
  }

  private int end(Process demo) throws InterruptedException {
    assertThat(demo.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).as("the demo ends").isTrue();
    return demo.exitValue();
  }

  private void assertThatNothingIsLeft() throws IOException {
    assertThat(Leftovers.of(folder)).isEmpty();
    try (var files = Files.list(folder)) {
      assertThat(files.filter(file -> file.toString().contains("quotashare-demo"))).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lend", "lend-and-borrow"})
  void theSequenceIsRightAndNothingIsLeft(String variant) throws IOException, InterruptedException {
    Process demo = start("demo", "--variant", variant);

    assertThat(end(demo)).as(() -> "exit code; it said: " + said()).isZero();
    List<String> lines = Files.readAllLines(out());
    assertThat(lines.get(lines.size() - 1))
        .isEqualTo("The sequence is right: all 16 expectations hold.");
    assertThat(lines).noneMatch(line -> line.startsWith("✗"));
    assertThatNothingIsLeft();
  }

  @Test
  void ctrlCLeavesNothingBehind() throws IOException, InterruptedException {
    Process demo = start("demo");
    await()
        .atMost(LONG)
        .until(() -> Files.exists(out()) && Files.readString(out()).contains("med runs on"));

    assertThat(new ProcessBuilder("kill", "-INT", Long.toString(demo.pid())).start().waitFor())
        .isZero();

    assertThat(end(demo)).isEqualTo(SIGINT_EXIT_CODE);
    assertThatNothingIsLeft();
  }

  @Test
  void whatIsKeptGoesOnUntilItIsStopped() throws IOException, InterruptedException {
    assertThat(end(start("demo", "--keep"))).as(() -> "exit code; it said: " + said()).isZero();
    String said = Files.readString(out());
    String stop =
        said.lines().filter(line -> line.contains("demo --stop ")).findFirst().orElseThrow();
    String kept = stop.substring(stop.indexOf("--stop ") + "--stop ".length()).strip();
    assertThat(Leftovers.of(Path.of(kept))).as("scheduler, agents, jobs").hasSizeGreaterThan(6);

    assertThat(end(start("demo", "--stop", kept))).isZero();

    assertThatNothingIsLeft();
  }

  private String said() {
    try {
      return Files.readString(out()) + Files.readString(folder.resolve("err"));
    } catch (IOException e) {
      return "nothing: " + e;
    }
  }
}
