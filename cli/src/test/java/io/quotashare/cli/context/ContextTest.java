package io.quotashare.cli.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.cli.CliRunner;
import io.quotashare.cli.ExitCode;
import io.quotashare.proto.v1.GetQueueSnapshotRequest;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.SubmitJobRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContextTest {
  private final CliRunner cli = new CliRunner();

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void setFile() {
    file = folder.resolve("quotashare").resolve("config.yaml");
    cli.variables.put("XDG_CONFIG_HOME", folder.toString());
  }

  @AfterEach
  void close() {
    cli.close();
  }

  private CliRunner.Result run(String line) {
    return cli.run(line.split(" "));
  }

  private void write(String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void whatIsSetIsKeptForTheOwnerAlone() throws IOException {
    CliRunner.Result result =
        run(
            "context set lab --scheduler gpu1:7070,gpu2:7070 --admin gpu1:7072 --queue research"
                + " --share vision --output wide");

    assertThat(result).isEqualTo(new CliRunner.Result(0, "", "lab is made, and in use now\n"));
    assertThat(Files.readString(file))
        .isEqualTo(
            """
            current: lab
            contexts:
              lab:
                schedulers:
                - gpu1:7070
                - gpu2:7070
                admin: gpu1:7072
                queue: research
                share: vision
                output: wide
            """);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
    assertThat(cli.opened).as("connections").isEmpty();
  }

  @Test
  void aFileThatOthersMayReadIsClosedWithTheNextChange() throws IOException {
    write("contexts: {}\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));

    assertThat(run("context set lab --queue q").code()).isZero();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (Stream<Path> left = Files.list(file.getParent())) {
      assertThat(left).as("no file of the rewriting is left").containsExactly(file);
    }
  }

  @Test
  void aLinkStaysALink() throws IOException {
    Path real = folder.resolve("dotfiles.yaml");
    Files.writeString(real, "contexts: {}\n");
    Files.createDirectories(file.getParent());
    Files.createSymbolicLink(file, real);

    assertThat(run("context set lab --queue q").code()).isZero();

    assertThat(file).isSymbolicLink();
    assertThat(Files.readString(real)).contains("queue: q");
  }

  @Test
  void onlyWhatIsNamedChanges() {
    run("context set lab --scheduler a:1 --queue q --share s");
    assertThat(run("context set lab --queue other").err()).isEqualTo("lab is changed\n");
    assertThat(run("context set lab --unset share").code()).isZero();

    assertThat(run("context get lab").out())
        .isEqualTo("context     lab\nschedulers  [a:1]\nqueue       other\n");
  }

  @Test
  void contextsAreListedUsedAndDeleted() {
    run("context set lab --scheduler a:1,b:2 --queue q");
    run("context set prod --scheduler c:3");

    assertThat(run("context list").out())
        .isEqualTo(
            """
               CONTEXT  SCHEDULERS  ADMIN  QUEUE  SHARE  OUTPUT
            *  lab      a:1,b:2     -      q      -      -
               prod     c:3         -      -      -      -
            """);
    assertThat(run("context use prod").err()).isEqualTo("prod is in use now\n");
    assertThat(run("context list -o name").out()).isEqualTo("lab\nprod\n");
    assertThat(run("context get -o json").out())
        .contains("\"name\": \"prod\"")
        .contains("\"inUse\": true")
        .contains("\"schedulers\": [\"c:3\"]");
    assertThat(run("context delete prod").err())
        .isEqualTo(
            "prod is removed; no context is in use now, choose one with quotashare context use"
                + " NAME\n");
    assertThat(run("context get").code()).isEqualTo(ExitCode.USAGE);
    assertThat(run("context delete prod").err())
        .contains("there is no context \"prod\" in " + file + "; expected one of lab");
  }

  @Test
  void theFlagWinsOverTheVariableAndThatOverTheContextAndThatOverTheDefault() {
    run("context set lab --scheduler ctx:1 --admin ctx:2");
    run("context set prod --scheduler prod:3");
    run("jobs");
    run("jobs --context prod");
    cli.variables.put("QUOTASHARE_CONTEXT", "prod");
    run("jobs");
    run("--context lab jobs");
    cli.variables.put("QUOTASHARE_SCHEDULER", "env:4");
    run("--context lab jobs");
    run("--context lab jobs --scheduler flag:5");

    assertThat(cli.opened)
        .containsExactly(
            "ctx:1 ctx:2",
            "prod:3 prod:7072",
            "prod:3 prod:7072",
            "ctx:1 ctx:2",
            "env:4 ctx:2",
            "flag:5 ctx:2");
  }

  @Test
  void queueShareAndOutputComeFromTheContext() {
    for (String queue : List.of("p", "q")) {
      cli.scheduler.queues.put(
          GetQueueSnapshotResponse.newBuilder()
              .setQueue(Queue.newBuilder().setName("queues/" + queue))
              .build());
    }
    run("context set lab --queue p --share s --output json");

    assertThat(run("shares").out()).as("the context's format").isEqualTo("[]\n");
    run("submit --gpus 1 -- true");
    run("shares --queue q");
    cli.variables.put("QUOTASHARE_QUEUE", "q");
    cli.variables.put("QUOTASHARE_SHARE", "t");
    cli.variables.put("QUOTASHARE_OUTPUT", "yaml");
    assertThat(run("shares").out()).isEmpty();
    run("submit --gpus 1 -- true");

    List<SubmitJobRequest> submitted = cli.scheduler.requests(SubmitJobRequest.class);
    assertThat(submitted.get(0).getParent()).isEqualTo("queues/p");
    assertThat(submitted.get(0).getSpec().getShare()).isEqualTo("queues/p/shares/s");
    assertThat(submitted.get(1).getSpec().getShare()).isEqualTo("queues/q/shares/t");
    assertThat(cli.scheduler.requests(GetQueueSnapshotRequest.class))
        .extracting(GetQueueSnapshotRequest::getName)
        .containsExactly("queues/p", "queues/q", "queues/q");
    cli.variables.put("QUOTASHARE_OUTPUT", "jsn");
    assertThat(run("shares").err())
        .isEqualTo("quotashare: QUOTASHARE_OUTPUT: \"jsn\" is not a format; did you mean json?\n");
  }

  @Test
  void everyMistakeOfTheFileIsToldWithItsPlace() throws IOException {
    write(
        """
        current: nobody
        contexts:
          lab:
            scheduler: [a:1]
            admin: a
            output: xml
          Lab: {queue: q}
          empty: {schedulers: []}
        """);

    CliRunner.Result result = run("jobs");

    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err().lines())
        .containsExactly(
            file + ":1:1: current: there is no context \"nobody\" among those of the file",
            file + ":4:5: contexts.lab.scheduler: unknown key; did you mean schedulers?",
            file
                + ":5:12: contexts.lab.admin: address: \"a\" is not valid here, expected HOST:PORT,"
                + " port 1 to 65535",
            file
                + ":6:13: contexts.lab.output: \"xml\" is not valid here, expected one of table,"
                + " wide, json, yaml, name",
            file
                + ":7:8: contexts.Lab: the name \"Lab\" is not valid here, expected 1 to 63 of a-z,"
                + " 0-9 and - inside",
            file
                + ":8:11: contexts.empty.schedulers: no address, expected a list such as"
                + " [gpu1:7070]");
    assertThat(cli.opened).isEmpty();
  }

  @Test
  void aFileThatIsNotValidStopsOnlyWhatNeedsIt() throws IOException {
    write("contexts: 7\n");

    assertThat(run("version").code()).isZero();
    assertThat(run("jobs --scheduler a:1 --admin a:2 -o table").code()).isZero();
    assertThat(run("context set lab --queue q").code()).isEqualTo(ExitCode.USAGE);
    assertThat(Files.readString(file)).as("not overwritten").isEqualTo("contexts: 7\n");
  }

  @Test
  void wrongValuesAreRefusedAndNothingIsWritten() {
    for (Map.Entry<String, String> wrong :
        Map.of(
                "context set Lab --queue q", "NAME: \"Lab\" is not valid here",
                "context set lab --scheduler nowhere", "--scheduler: address: \"nowhere\" is not",
                "context set lab --admin a:1,b:2", "--admin: 2 addresses, expected one HOST:PORT",
                "context set lab --output xml", "expected one of [table, wide, json, yaml, name]",
                "context use nobody", "there is none yet: make one with quotashare context set")
            .entrySet()) {
      CliRunner.Result result = run(wrong.getKey());

      assertThat(result.code()).as(wrong.getKey()).isEqualTo(ExitCode.USAGE);
      assertThat(result.err()).contains(wrong.getValue());
    }
    assertThat(file).doesNotExist();
  }

  @Test
  void theVariableNamesAnotherFile() {
    Path other = folder.resolve("other.yaml");
    cli.variables.put("QUOTASHARE_CONFIG", other.toString());

    assertThat(run("context set lab --queue q").code()).isZero();

    assertThat(other).exists();
    assertThat(file).doesNotExist();
  }
}
