package io.quotashare.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.cli.CliRunner;
import io.quotashare.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command: files, formats, exit codes. */
class SimulateCommandTest {
  private static final String SCENARIO =
      """
      name: one after the other
      queues:
        - name: q
          shares: [{name: a, capacity: {H100: 1}, strategy: RESERVE, inSharePreemption: false}]
      nodes: [{name: n1, gpus: 1, unit: H100}]
      events:
        - {at: 0s, submit: {id: j, share: a, gpus: 1, duration: 10s}}
        - {at: 0s, submit: {id: k, share: a, gpus: 1, duration: 5s}}
      """;
  private static final String HOLDS =
      "expect: [{at: 0s, running: [j]}, {at: end, succeeded: [k]}]\n";
  private static final String FAILS = "expect: [{at: 1s, running: [k], spared: [j]}]\n";

  private final CliRunner cli = new CliRunner();

  @TempDir private Path folder;

  @AfterEach
  void close() {
    cli.close();
  }

  @Test
  void aTimelineAndTheFiguresForPeople() throws IOException {
    CliRunner.Result result = cli.run("simulate", "--scenario", file("a.yaml", SCENARIO + HOLDS));

    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isEqualTo(ExitCode.OK);
    assertThat(result.lines())
        .startsWith("one after the other", "", "     TIME  EVENT       JOB           DETAIL")
        .contains(
            "       0s  STARTED     j             attempt 1 on n1[0], own",
            "      10s  SUCCEEDED   j             exited with 0",
            "      15s  SUCCEEDED   k             exited with 0",
            "Jobs          2 = 2 succeeded + 0 failed + 0 cancelled + 0 not ended by 15s",
            "Waits         mean 5s, p50 0s, p95 10s, p99 10s, max 10s",
            "Makespan      15s",
            "GPU time      15s = 15s useful",
            "✓ Every expectation holds.");
    assertThat(cli.opened).as("connections to a scheduler").isEmpty();
  }

  @Test
  void aFailedExpectationSaysWhatShouldBeAndWhatIs() throws IOException {
    CliRunner.Result result = cli.run("simulate", "--scenario", file("a.yaml", SCENARIO + FAILS));

    assertThat(result.code()).isEqualTo(ExitCode.NOT_SO);
    assertThat(result.out())
        .contains("✗ 1 expectation does not hold:")
        .contains("  at 1s job k should be running, but is RUNNABLE: SHARE_AT_LIMIT, ")
        .contains("chosen as a victim 0 times so far");
  }

  @Test
  void oneObjectALineForPrograms() throws IOException {
    CliRunner.Result result =
        cli.run("simulate", "--scenario", file("a.yaml", SCENARIO + FAILS), "-o", "json");

    assertThat(result.code()).isEqualTo(ExitCode.NOT_SO);
    assertThat(result.err()).startsWith("a.yaml: at 1s job k should be running, but is RUNNABLE");
    assertThat(result.lines())
        .allMatch(line -> line.startsWith("{\"t\":") && line.endsWith("}"))
        .contains(
            "{\"t\":0.0,\"event\":\"STARTED\",\"job\":\"j\",\"share\":\"a\",\"attempt\":1,"
                + "\"devices\":{\"n1\":[0]},\"own\":1,\"borrowed\":0}")
        .last()
        .asString()
        .startsWith("{\"t\":15.0,\"event\":\"SUMMARY\"");
  }

  @Test
  void ofSeveralFilesEachGetsALineAndTheWorstDecides() throws IOException {
    String good = file("good.yaml", SCENARIO + HOLDS);
    String bad = file("bad.yaml", SCENARIO + FAILS);
    String invalid = file("invalid.yaml", SCENARIO + "speed: 2\n");

    CliRunner.Result two = cli.run("simulate", "--scenario", good, bad);
    assertThat(two.code()).isEqualTo(ExitCode.NOT_SO);
    assertThat(two.lines()).startsWith("✓ good.yaml", "✗ bad.yaml").hasSize(3);

    CliRunner.Result three = cli.run("simulate", "--scenario", invalid, good, bad);
    assertThat(three.code()).isEqualTo(ExitCode.USAGE);
    assertThat(three.lines())
        .startsWith("✗ invalid.yaml is not valid", "✓ good.yaml", "✗ bad.yaml");
    assertThat(three.err()).contains("invalid.yaml:9:1: speed: unknown key");

    CliRunner.Result json =
        cli.run("simulate", "--scenario", good, "--scenario", bad, "-o", "json");
    assertThat(json.code()).isEqualTo(ExitCode.NOT_SO);
    assertThat(json.lines())
        .allMatch(line -> line.matches("\\{\"scenario\":\"(good|bad)\\.yaml\",\"t\":.*}"));
  }

  @Test
  void filesOfTheSameNameAreToldApart() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(other.resolve("a.yaml"), SCENARIO);
    String first = file("a.yaml", SCENARIO);

    CliRunner.Result result =
        cli.run("simulate", "--scenario", first, other.resolve("a.yaml").toString());

    assertThat(result.code()).isEqualTo(ExitCode.OK);
    assertThat(result.lines()).containsExactly("✓ " + first, "✓ " + other.resolve("a.yaml"));
  }

  @Test
  void anInvalidFileIsToldWithAllItsMistakesAndNothingIsReplayed() throws IOException {
    String file = file("a.yaml", SCENARIO + "until: 1\nspeed: 2\n");

    CliRunner.Result result = cli.run("simulate", "--scenario", file);

    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith(file + ":9:8: until: 1 is not valid here"),
            line -> assertThat(line).startsWith(file + ":10:1: speed: unknown key"));
  }

  @Test
  void wrongUsageIsToldApartFromAFailedExpectation() {
    assertThat(cli.run("simulate").code()).isEqualTo(ExitCode.USAGE);
    assertThat(cli.run("simulate", "--scenario", "x.yaml", "-o", "xml").err())
        .contains("expected one of [table, json]");
    assertThat(cli.run("simulate", "--html", "x").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void helpHasAnExample() {
    CliRunner.Result help = cli.run("simulate", "--help");

    assertThat(help.code()).isEqualTo(ExitCode.OK);
    assertThat(help.out())
        .contains("Usage: quotashare simulate", "Examples:", "  quotashare simulate --scenario");
    assertThat(help.out().lines()).allMatch(line -> line.length() <= 100);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }
}
