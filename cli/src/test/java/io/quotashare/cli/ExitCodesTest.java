package io.quotashare.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.quotashare.cli.GoodCommands.Row;
import io.quotashare.client.fake.FakeScheduler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The exit codes 0 to 4, of every command. */
class ExitCodesTest {
  static Stream<Row> rows() {
    return GoodCommands.rows();
  }

  private final CliRunner cli = new CliRunner();

  @TempDir private Path folder;

  @BeforeEach
  void prepare() throws IOException {
    GoodCommands.prepare(cli, folder);
  }

  @AfterEach
  void close() {
    cli.close();
  }

  private CliRunner.Result run(String line) {
    return GoodCommands.run(cli, folder, line);
  }

  @Test
  void everyCommandIsInTheTable() {
    // The daemons are programs of their own, and the demo plays on real processes in DemoIT.
    List<String> elsewhere = List.of("server", "agent", "demo");

    assertThat(rows().map(Row::name))
        .containsExactlyInAnyOrderElementsOf(
            Commands.leaves().stream()
                .map(Commands::name)
                .filter(name -> !elsewhere.contains(name))
                .toList());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void goodIsZero(Row row) {
    CliRunner.Result result = run(row.line());

    assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.OK);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void whatDidNotComeAboutIsOne(Row row) {
    if (!row.notSo().isEmpty()) {
      assertThat(run(row.notSo()).code()).isEqualTo(ExitCode.NOT_SO);
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void wrongUsageIsTwoAndSendsNothing(Row row) {
    CliRunner.Result result =
        run(row.line().replaceFirst(row.name(), row.name() + " --no-such-option"));

    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("--no-such-option");
    assertThat(cli.opened).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void noSchedulerIsThree(Row row) throws IOException {
    if (row.request() == null) {
      return;
    }
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    cli.overTcp();
    cli.variables.put("QUOTASHARE_SCHEDULER", "127.0.0.1:" + free);
    cli.variables.put("QUOTASHARE_ADMIN", "127.0.0.1:" + free);

    CliRunner.Result result = run(row.line());

    assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("no scheduler answers at 127.0.0.1:" + free);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aRefusalIsFourWithTheSentence(Row row) {
    if (row.request() == null) {
      return;
    }
    cli.scheduler.failNext(
        row.request(),
        FakeScheduler.failure(Status.Code.FAILED_PRECONDITION, "it may not be", "NOT_NOW"));

    CliRunner.Result result = run(row.line());

    assertThat(result.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(result.err()).isEqualTo("quotashare: refused: it may not be (NOT_NOW)\n");
  }
}
