package io.quotashare.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.quotashare.cli.CliRunner;
import io.quotashare.cli.ExitCode;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.v1.PlanJobRequest;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.SubmitJobsRequest;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several jobs in one file. */
class BatchTest {
  private static final String THREE =
      """
      share: a
      gpus: 1
      command: ["true"]
      ---
      share: b
      gpus: 2
      command: ["true"]
      ---
      share: c
      gpus: 3
      command: ["true"]
      """;

  private final CliRunner cli = new CliRunner();

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void setUp() throws IOException {
    cli.variables.put("QUOTASHARE_QUEUE", "q");
    file = folder.resolve("sweep.yaml");
    Files.writeString(file, THREE);
  }

  @AfterEach
  void close() {
    cli.close();
  }

  private CliRunner.Result submit(String... more) {
    String[] args = new String[3 + more.length];
    args[0] = "submit";
    args[1] = "-f";
    args[2] = file.toString();
    System.arraycopy(more, 0, args, 3, more.length);
    return cli.run(args);
  }

  @Test
  void everyDocumentIsAJobAndFlagsWinInEach() {
    CliRunner.Result result = submit("--priority", "7");

    assertThat(result).isEqualTo(new CliRunner.Result(0, "j-1\nj-2\nj-3\n", ""));
    assertThat(cli.scheduler.requests(SubmitJobsRequest.class)).as("calls").hasSize(1);
    assertThat(cli.scheduler.requests(SubmitJobRequest.class))
        .extracting(request -> request.getSpec().getGpus())
        .containsExactly(1, 2, 3);
    assertThat(cli.scheduler.requests(SubmitJobRequest.class))
        .allMatch(request -> request.getSpec().getPriority() == 7);
  }

  @Test
  void oneThatIsRefusedKeepsTheOthersNotOut() {
    cli.scheduler.failNext(
        SubmitJobRequest.class,
        FakeScheduler.failure(Status.Code.INVALID_ARGUMENT, "share: a is not there", "NO_SHARE"));

    CliRunner.Result result = submit();

    assertThat(result.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(result.out()).isEqualTo("j-1\nj-2\n");
    assertThat(result.err())
        .isEqualTo(
            "quotashare: "
                + file
                + ": document 1: refused: share: a is not there (NO_SHARE)\n"
                + "2 of 3 jobs were accepted, the others refused\n");
  }

  @Test
  void queuesMayDifferAndTheOrderIsThatOfTheFile() throws IOException {
    Files.writeString(file, THREE.replace("share: b", "queue: p\nshare: b"));

    assertThat(submit("-o", "json").out()).startsWith("[\n{").endsWith("]\n");
    assertThat(cli.scheduler.requests(SubmitJobsRequest.class))
        .extracting(SubmitJobsRequest::getParent)
        .containsExactly("queues/q", "queues/p");
  }

  @Test
  void aRepeatWithARequestIdSubmitsNothingAgain() {
    String id = "8d2bd6f0-0000-4000-8000-000000000001";

    assertThat(submit("--request-id", id).out()).isEqualTo("j-1\nj-2\nj-3\n");
    assertThat(submit("--request-id", id).out()).isEqualTo("j-1\nj-2\nj-3\n");
  }

  @Test
  void whatIsForOneJobIsRefused() {
    assertThat(submit("--id", "x").err())
        .isEqualTo(
            "quotashare: --id: the file "
                + file
                + " has 3 jobs, expected one; put id into each document\n");
    assertThat(submit("--wait").err()).contains("--wait: the file").contains("jobs --watch");
    assertThat(submit("--logs").code()).isEqualTo(ExitCode.USAGE);
    assertThat(cli.scheduler.requests(SubmitJobsRequest.class)).isEmpty();
  }

  @Test
  void everyMistakeOfEveryDocumentIsToldAndNothingIsSent() throws IOException {
    Files.writeString(file, "share: a\ngpu: 1\n---\nshare: b\npriority: high\n");

    CliRunner.Result result = submit();

    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err().lines())
        .containsExactly(
            file + ":2:1: gpu: unknown key; did you mean gpus?",
            file
                + ":5:11: priority: \"high\" is not valid here, expected a whole number from 0 to"
                + " 9999");
    assertThat(cli.scheduler.requests(SubmitJobsRequest.class)).isEmpty();
  }

  @Test
  void moreDocumentsThanTheSchedulerTakesAreRefused() throws IOException {
    Files.writeString(file, "share: a\n---\n".repeat(JobFile.MAX_JOBS) + "share: a\n");

    assertThat(submit().err())
        .contains(":2001:1: document 1001 begins here; a file may hold at most 1000");
  }

  @Test
  void aDryRunPlansEach() {
    CliRunner.Result result = submit("--dry-run", "-o", "name");

    assertThat(result.code()).isZero();
    assertThat(cli.scheduler.requests(PlanJobRequest.class))
        .extracting(request -> request.getSpec().getGpus())
        .isEqualTo(List.of(1, 2, 3));
    assertThat(cli.scheduler.requests(SubmitJobRequest.class)).isEmpty();
  }

  @Test
  void aDryRunTellsEveryRefusalWithItsDocumentAndPlansTheOthers() {
    cli.scheduler.failNext(
        PlanJobRequest.class,
        FakeScheduler.failure(Status.Code.INVALID_ARGUMENT, "share: a is not there", "NO_SHARE"));

    CliRunner.Result result = submit("--dry-run");

    assertThat(result.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(result.err())
        .isEqualTo(
            "quotashare: "
                + file
                + ": document 1: refused: share: a is not there (NO_SHARE)\n"
                + "this was a dry run: nothing was submitted\n");
    assertThat(result.out()).startsWith("document 2:\n").contains("\ndocument 3:\n");
  }

  /** A flag that were not copied would be lost without a word where a file has several jobs. */
  @Test
  void everyFlagIsCopied() throws ReflectiveOperationException {
    JobFlags flags = new JobFlags();
    flags.labels.put("x", "1");
    flags.env.put("A", "b");
    for (Field field : JobFlags.class.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers())) {
        field.setAccessible(true);
        field.set(flags, something(field.getType()));
      }
    }

    assertThat(flags.copy()).usingRecursiveComparison().isEqualTo(flags);
  }

  private static Object something(Class<?> type) {
    if (type == Integer.class) {
      return 7;
    }
    if (type == Boolean.class) {
      return true;
    }
    if (type == Duration.class) {
      return Duration.ofSeconds(7);
    }
    return type == List.class ? List.of(7) : "text";
  }
}
