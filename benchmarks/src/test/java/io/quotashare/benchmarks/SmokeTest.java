package io.quotashare.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark runs once with tiny sizes, so that none rots. No time is judged. */
class SmokeTest {
  @Test
  void everyFigureIsMeasuredAndDrawn(@TempDir Path folder) throws Exception {
    String printed = run("figures", "smoke", folder.toString());
    assertThat(printed.lines().filter(line -> line.matches("(drain|reclaim|turnover).*")))
        .hasSize(22);
    assertThat(Files.readString(folder.resolve("decision-cost.svg")))
        .contains("drain by shares", "turnover by pending jobs")
        .endsWith("</svg>\n");
    assertThat(Files.readString(folder.resolve("reclaim-cost.svg")))
        .contains("reclaim by running jobs");
  }

  @Test
  void theHeapOfWaitingJobsIsMeasured() throws Exception {
    assertThat(run("heap", "500")).contains("heap of waiting jobs", "bytes each");
    assertThat(run("store", "200"))
        .contains("heap of ended jobs", "jobs and attempts", "audit entries", "the file has");
  }

  @Test
  void theSameWorkloadsGiveTheSameDigest() throws Exception {
    String first = run("digest");
    assertThat(first.lines()).hasSize(6).allMatch(line -> line.matches("[a-z, ]+ [0-9a-f]{64}"));
    assertThat(run("digest")).isEqualTo(first);
  }

  @Test
  void theWholeBacklogIsDrained() {
    Drain drain = new Drain(Cluster.Size.even(10, 8, 3), 300);
    while (!drain.isDone()) {
      assertThat(drain.decide()).isPositive();
      drain.endAll();
    }
    assertThat(drain.started()).isEqualTo(300);
  }

  @Test
  void everyStepOfATurnoverStartsOneJob() {
    Turnover turnover = new Turnover(Cluster.Size.even(4, 8, 3), 50);
    for (int step = 0; step < 40; step++) {
      assertThat(turnover.step()).isEqualTo(1);
    }
  }

  @Test
  void aReclaimStopsSixtyFourJobs() {
    assertThat(Reclaim.wide(1_000).decide()).isEqualTo(64);
    assertThat(Reclaim.tight(1_000).decide()).isEqualTo(64);
    assertThat(Reclaim.wholeNodes(200).decide()).isEqualTo(64);
  }

  @Test
  void everyBenchmarkOfJmhRuns() throws Exception {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include("io\\.quotashare\\.benchmarks\\..*Benchmark")
                    .forks(0)
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .param("running", "1000")
                    .param("nodes", "200")
                    .param("shares", "5")
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run();
    assertThat(results).hasSize(3);
  }

  @Test
  void wrongArgumentsAreRefusedWithWhatWasExpected() throws Exception {
    for (String[] args :
        List.of(
            new String[] {},
            new String[] {"figures", "some"},
            new String[] {"heap", "-1"},
            new String[] {"store", "150"},
            new String[] {"micro"},
            new String[] {"digest", "more"})) {
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      int code = Main.run(args, new PrintStream(System.out), print(err));
      assertThat(code).isEqualTo(2);
      assertThat(err.toString(StandardCharsets.UTF_8))
          .contains("arguments: " + String.join(" ", args) + " (expected:", "figures (all");
    }
  }

  private static String run(String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(Main.run(args, print(out), print(out))).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }

  private static PrintStream print(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }
}
