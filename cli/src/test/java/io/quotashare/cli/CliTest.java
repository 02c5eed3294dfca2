package io.quotashare.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.quotashare.cli.console.Outside;
import io.quotashare.client.fake.FakeJobs;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.Queue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What all commands have in common: help, usage, addresses, failures, colours. */
class CliTest {
  private final CliRunner cli = new CliRunner();

  @AfterEach
  void close() {
    cli.close();
  }

  private void putQueues(String... ids) {
    for (String id : ids) {
      cli.scheduler.queues.put(
          GetQueueSnapshotResponse.newBuilder()
              .setQueue(Queue.newBuilder().setName("queues/" + id))
              .build());
    }
  }

  @Test
  void helpNamesEveryCommandAndTheExitCodes() {
    CliRunner.Result help = cli.run("--help");

    assertThat(help.code()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(help.out())
        .contains("submit", "jobs", "shares", "loans", "nodes", "apply", "server", "agent")
        .contains("Exit status:", "No scheduler answers.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "                          | Missing required subcommand",
        "jbos                      | Unmatched argument at index 0: 'jbos'",
        "job                       | Missing required subcommand",
        "job get                   | Missing required parameter: 'JOB'",
        "jobs --stat RUNNING       | Unknown options: '--stat', 'RUNNING'",
        "jobs --state SLEEPING     | \"SLEEPING\" is not a state; expected one of SUBMITTED, RUNNABLE",
        "jobs -o xml               | expected one of [table, wide, json, yaml, name]",
        "job priority j high       | 'high' is not an int",
        "submit --grace 5          | \"5\" is not a duration such as 90s, 10m, 1h30m or 250ms",
        "submit --request-id x     | 'x' is not a UUID",
        "apply                     | Missing required option: '--file=FILE'",
      })
  void wrongUsageSaysWhatIsWrong(String line, String message) {
    String[] args = line == null ? new String[0] : line.split(" ");

    CliRunner.Result result = cli.run(args);

    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("quotashare: ").contains(message);
  }

  @Test
  void aMisspeltCommandIsSuggested() {
    assertThat(cli.run("jbos").err()).contains("Did you mean: quotashare jobs");
  }

  @Test
  void theTableOfCommandsHasTheirNames() {
    assertThat(CommandTable.names())
        .containsExactlyElementsOf(Commands.root().getSubcommands().keySet());
  }

  @Test
  void onlyTheCommandThatIsTypedIsMade() {
    List<String> typed = List.of("--context", "shares", "--admin=a:1", "jobs", "--share", "job");
    CommandLine line = Cli.line(new RootCommand(cli.outside()), typed);

    assertThat(line.getSubcommands()).containsOnlyKeys("jobs");
    assertThat(line.parseArgs(typed.toArray(new String[0])).errors()).isEmpty();
  }

  @Test
  void theDaemonsAreStartedByTheLauncher() {
    CliRunner.Result result = cli.run("server", "--dev");

    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("./quotashare server");
  }

  @Test
  void versionAsksNoScheduler() {
    CliRunner.Result result = cli.run("version");

    assertThat(result.code()).isZero();
    assertThat(result.out()).startsWith("quotashare ");
    assertThat(cli.opened).isEmpty();
  }

  @Test
  void theAddressIsTheOptionElseTheVariableElseTheDefault() {
    cli.run("jobs");
    cli.variables.put("QUOTASHARE_SCHEDULER", "a:1,b:2");
    cli.variables.put("QUOTASHARE_ADMIN", "a:3");
    cli.run("jobs");
    cli.run("jobs", "--scheduler", "c:4");
    cli.run("--scheduler", "d:5", "--admin", "d:6", "jobs");
    cli.variables.remove("QUOTASHARE_ADMIN");
    cli.run("jobs", "--scheduler", "e:7,f:8");

    assertThat(cli.opened)
        .containsExactly(
            "127.0.0.1:7070 127.0.0.1:7072", "a:1,b:2 a:3", "c:4 a:3", "d:5 d:6", "e:7,f:8 e:7072");
  }

  @Test
  void aWrongAddressIsUsage() {
    CliRunner.Result result = cli.overTcp().run("jobs", "--scheduler", "nowhere");

    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("address: \"nowhere\" is not valid here, expected HOST:PORT");
  }

  @Test
  void ofSeveralAddressesTheOneThatServesIsFound() throws IOException {
    int dead;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      dead = socket.getLocalPort();
    }
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    cli.scheduler.services().forEach(builder::addService);
    Server server = builder.build().start();
    cli.scheduler.jobs.put(FakeJobs.job("j", "a", 1));
    try {
      CliRunner.Result result =
          cli.overTcp()
              .run(
                  "jobs",
                  "-o",
                  "name",
                  "--scheduler",
                  "127.0.0.1:" + dead + ",127.0.0.1:" + server.getPort());

      assertThat(result).isEqualTo(new CliRunner.Result(0, "queues/q/jobs/j\n", ""));
    } finally {
      server.shutdownNow();
    }
  }

  @Test
  void aSchedulerThatDoesNotAnswerIsOneLineWithWhatToDo() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    CliRunner.Result result = cli.overTcp().run("jobs", "--scheduler", "127.0.0.1:" + free);

    assertThat(result.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .contains("no scheduler answers at 127.0.0.1:" + free)
        .contains("Connection refused")
        .contains("./quotashare server --dev")
        .contains("--scheduler");
  }

  @Test
  void aRefusalHasMessageReasonAndField() {
    cli.scheduler.failNext(
        GetJobRequest.class,
        FakeScheduler.failure(
            Status.Code.INVALID_ARGUMENT,
            "the request is not valid",
            "BAD_NAME",
            "name",
            "too long"));

    CliRunner.Result result = cli.run("job", "get", "q/j");

    assertThat(result.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(result.err())
        .isEqualTo("quotashare: refused: the request is not valid (BAD_NAME)\n  name: too long\n");
  }

  @Test
  void aFaultOfTheProgramShowsWhereOnRequestOnly() {
    cli.scheduler.failNext(
        ListJobsRequest.class, Status.INTERNAL.withDescription("broken").asRuntimeException());
    assertThat(cli.run("jobs").err()).isEqualTo("quotashare: refused: broken\n");

    cli.variables.put("QUOTASHARE_DEBUG", "1");
    cli.scheduler.failNext(
        ListJobsRequest.class, Status.INTERNAL.withDescription("broken").asRuntimeException());
    assertThat(cli.run("jobs").err()).contains("\tat io.quotashare.cli.");
  }

  @Test
  void theOnlyQueueIsFoundAndSeveralMustBeNamed() {
    assertThat(cli.run("shares").err())
        .isEqualTo(
            "quotashare: the scheduler has no queue yet: make one with quotashare apply -f"
                + " policy.yaml\n");
    putQueues("a");
    assertThat(cli.run("shares").code()).isZero();
    putQueues("b");
    CliRunner.Result several = cli.run("shares");
    assertThat(several.code()).isEqualTo(ExitCode.USAGE);
    assertThat(several.err())
        .isEqualTo(
            "quotashare: there are 2 queues (a, b): name one with --queue,"
                + " QUOTASHARE_QUEUE or the queue of a context\n");
    assertThat(cli.run("shares", "--queue", "b").code()).isZero();
    cli.variables.put("QUOTASHARE_QUEUE", "a");
    assertThat(cli.run("shares").code()).isZero();
    assertThat(cli.run("shares", "--queue", "none").code()).isEqualTo(ExitCode.REFUSED);
  }

  @Test
  void aJobIsFoundInWhicheverQueueItIs() {
    putQueues("p", "q");
    cli.scheduler.jobs.put(FakeJobs.job("j", "a", 1));

    for (String name : List.of("j", "q/j", "queues/q/jobs/j")) {
      assertThat(cli.run("job", "get", name, "-o", "name").out()).isEqualTo("queues/q/jobs/j\n");
    }
    assertThat(cli.run("job", "get", "none").err())
        .isEqualTo("quotashare: no queue (p, q) has a job none; see quotashare jobs\n");
    assertThat(cli.run("job", "get", "a/b/c").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void coloursAreForTerminalsThatWantThem() {
    cli.scheduler.jobs.put(FakeJobs.job("j", "a", 1));
    assertThat(cli.run("jobs").out()).doesNotContain("\u001b[");

    cli.terminals = new Outside.Terminals(true, true, false);
    assertThat(cli.run("jobs").out()).contains("\u001b[33mRUNNABLE\u001b[0m");

    cli.variables.put("NO_COLOR", "1");
    assertThat(cli.run("jobs").out()).doesNotContain("\u001b[");
    assertThat(cli.run("jobs", "--help").out()).doesNotContain("\u001b[");
  }

  private void pressCtrlCAfterLooks(int count, Runnable betweenLooks) {
    int[] looks = {0};
    cli.pauses =
        millis -> {
          assertThat(millis).isEqualTo(2000);
          if (++looks[0] == count) {
            cli.pressCtrlC();
          } else {
            betweenLooks.run();
          }
        };
  }

  @Test
  void watchingShowsATableAgainUntilCtrlC() {
    cli.scheduler.jobs.put(FakeJobs.job("j", "a", 1));
    pressCtrlCAfterLooks(3, () -> {});

    CliRunner.Result result = cli.run("jobs", "--watch");

    assertThat(result.code()).isZero();
    assertThat(result.lines()).hasSize(6).filteredOn(line -> line.startsWith("JOB")).hasSize(3);
  }

  @Test
  void watchingJsonPrintsOneObjectALineOfWhatIsNewOrChanged() throws IOException {
    cli.scheduler.jobs.put(FakeJobs.job("j", "a", 1));
    cli.scheduler.jobs.put(FakeJobs.job("k", "a", 1));
    pressCtrlCAfterLooks(4, () -> cli.scheduler.jobs.put(FakeJobs.job("k", "a", 2)));

    CliRunner.Result result = cli.run("jobs", "--watch", "-o", "json");

    ObjectMapper json = new ObjectMapper();
    List<String> lines = result.lines();
    assertThat(lines).as("j, k, and k again once it has changed").hasSize(3);
    assertThat(json.readTree(lines.get(0)).get("name").asText()).isEqualTo("queues/q/jobs/j");
    assertThat(json.readTree(lines.get(2)).get("name").asText()).isEqualTo("queues/q/jobs/k");
    assertThat(json.readTree(lines.get(2)).get("spec").get("priority").asInt()).isEqualTo(2);
  }

  @Test
  void watchingNamesPrintsEachOnce() {
    cli.scheduler.jobs.put(FakeJobs.job("j", "a", 1));
    pressCtrlCAfterLooks(3, () -> cli.scheduler.jobs.put(FakeJobs.job("k", "a", 2)));

    assertThat(cli.run("jobs", "--watch", "-o", "name").out())
        .isEqualTo("queues/q/jobs/j\nqueues/q/jobs/k\n");
  }
}
