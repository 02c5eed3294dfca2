package io.quotashare.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.grpc.Status;
import io.quotashare.client.fake.FakeJobs;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.admin.v1.CordonNodeRequest;
import io.quotashare.proto.admin.v1.DrainNodeRequest;
import io.quotashare.proto.admin.v1.FenceNodeRequest;
import io.quotashare.proto.admin.v1.GetSchedulerStatusRequest;
import io.quotashare.proto.admin.v1.ListAuditEventsRequest;
import io.quotashare.proto.admin.v1.PauseSchedulingRequest;
import io.quotashare.proto.admin.v1.ResumeSchedulingRequest;
import io.quotashare.proto.admin.v1.UncordonNodeRequest;
import io.quotashare.proto.admin.v1.VerifyStateRequest;
import io.quotashare.proto.v1.AdminState;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.Attempt;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.CheckpointJobRequest;
import io.quotashare.proto.v1.CreateQuotaShareRequest;
import io.quotashare.proto.v1.DeleteQuotaShareRequest;
import io.quotashare.proto.v1.ExplainJobRequest;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.GetNodeRequest;
import io.quotashare.proto.v1.GetQueueSnapshotRequest;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.GetQuotaShareRequest;
import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.proto.v1.HoldJobRequest;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.ListAttemptsRequest;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.ListLoansRequest;
import io.quotashare.proto.v1.ListNodesRequest;
import io.quotashare.proto.v1.ListPreemptionsRequest;
import io.quotashare.proto.v1.ListQueuesRequest;
import io.quotashare.proto.v1.Node;
import io.quotashare.proto.v1.PlanPolicyRequest;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.proto.v1.ReleaseJobRequest;
import io.quotashare.proto.v1.RequeueJobRequest;
import io.quotashare.proto.v1.SharingStrategy;
import io.quotashare.proto.v1.StreamJobLogsRequest;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import io.quotashare.proto.v1.UpdateQuotaShareRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The exit codes 0 to 4, of every command. */
class ExitCodesTest {
  /**
   * A command line that is good, and how the same fails.
   *
   * @param name of the command
   * @param line that is good; FILE and POLICY stand for files
   * @param request that it sends; null: it asks no scheduler
   * @param notSo a line that ends with 1; empty: there is none, or another test has it
   */
  private record Row(
      String name, String line, @Nullable Class<? extends Message> request, String notSo) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Row row(String name, String more, Class<? extends Message> request) {
    return new Row(name, (name + " " + more).strip(), request, "");
  }

  private static Row local(String name, String more) {
    return new Row(name, (name + " " + more).strip(), null, "");
  }

  static Stream<Row> rows() {
    return Stream.of(
        row("submit", "--share a --gpus 1 -- true", SubmitJobRequest.class),
        row("jobs", "", ListJobsRequest.class),
        row("job get", "j", GetJobRequest.class),
        new Row("job watch", "job watch good", GetJobRequest.class, "job watch bad"),
        row("job explain", "j", ExplainJobRequest.class),
        row("job priority", "j 5", UpdateJobPriorityRequest.class),
        row("job hold", "j", HoldJobRequest.class),
        row("job release", "j", ReleaseJobRequest.class),
        row("job requeue", "j", RequeueJobRequest.class),
        new Row(
            "job checkpoint",
            "job checkpoint j",
            CheckpointJobRequest.class,
            "job checkpoint j --wait --timeout 1ms"),
        row("job cancel", "j", CancelJobRequest.class),
        row("job logs", "j", StreamJobLogsRequest.class),
        row("job attempts", "j", ListAttemptsRequest.class),
        row("shares", "", GetQueueSnapshotRequest.class),
        row("share get", "a", GetQuotaShareRequest.class),
        row(
            "share create",
            "b --capacity H100=1 --strategy LEND --in-share-preemption",
            CreateQuotaShareRequest.class),
        row("share update", "a --weight 2", UpdateQuotaShareRequest.class),
        row("share delete", "a", DeleteQuotaShareRequest.class),
        row("loans", "", ListLoansRequest.class),
        row("queue", "", ListQueuesRequest.class),
        row("nodes", "", ListNodesRequest.class),
        row("node get", "n1", GetNodeRequest.class),
        row("node cordon", "n1", CordonNodeRequest.class),
        row("node uncordon", "n1", UncordonNodeRequest.class),
        row("node drain", "n1", DrainNodeRequest.class),
        row("node fence", "n1", FenceNodeRequest.class),
        row("report", "", GetUsageReportRequest.class),
        row("preemptions", "", ListPreemptionsRequest.class),
        row("apply", "-f POLICY", ApplyPolicyRequest.class),
        row("plan", "-f POLICY", PlanPolicyRequest.class),
        row("admin status", "", GetSchedulerStatusRequest.class),
        row("admin pause", "", PauseSchedulingRequest.class),
        row("admin resume", "", ResumeSchedulingRequest.class),
        row("admin verify", "", VerifyStateRequest.class),
        row("admin audit", "", ListAuditEventsRequest.class),
        new Row("simulate", "simulate --scenario GOOD", null, "simulate --scenario BAD"),
        local("context list", ""),
        local("context get", "lab"),
        local("context set", "other --queue q"),
        local("context use", "lab"),
        local("context delete", "lab"),
        local("help", "jobs"),
        local("version", ""),
        local("completion", "bash"));
  }

  private final CliRunner cli = new CliRunner();

  @TempDir private Path folder;

  @BeforeEach
  void putEverything() throws IOException {
    cli.variables.put("QUOTASHARE_QUEUE", "q");
    cli.variables.put("QUOTASHARE_CONFIG", folder.resolve("config.yaml").toString());
    Files.writeString(folder.resolve("config.yaml"), "contexts: {lab: {queue: q}}\n");
    Files.writeString(
        folder.resolve("policy.yaml"),
        "queues: [{name: q, shares: [{name: a, capacity: {H100: 1}, strategy: LEND,"
            + " inSharePreemption: false}]}]\n");
    String scenario =
        """
        name: one
        queues:
          - name: q
            shares: [{name: a, capacity: {H100: 1}, strategy: RESERVE, inSharePreemption: false}]
        nodes: [{name: n1, gpus: 1, unit: H100}]
        events: [{at: 0s, submit: {id: j, share: a, gpus: 1, duration: 10s}}]
        """;
    Files.writeString(folder.resolve("good.yaml"), scenario);
    Files.writeString(folder.resolve("bad.yaml"), scenario + "expect: [{at: 20s, running: [j]}]\n");
    cli.scheduler.queues.put(
        GetQueueSnapshotResponse.newBuilder()
            .setQueue(Queue.newBuilder().setName("queues/q"))
            .addShares(
                QuotaShareStatus.newBuilder()
                    .setShare(
                        QuotaShare.newBuilder()
                            .setName("queues/q/shares/a")
                            .putCapacity("H100", 1)
                            .setStrategy(SharingStrategy.SHARING_STRATEGY_LEND)
                            .setState(AdminState.ADMIN_STATE_DISABLED)
                            .setEtag("1")))
            .build());
    cli.scheduler.queues.nodes.add(Node.newBuilder().setName("nodes/n1").build());
    cli.scheduler.jobs.put(
        FakeJobs.job("j", "a", 1).toBuilder()
            .setLatestAttempt(Attempt.newBuilder().setName("queues/q/jobs/j/attempts/1"))
            .build());
    cli.scheduler.jobs.put(
        FakeJobs.job("good", "a", 1).toBuilder().setState(JobState.JOB_STATE_SUCCEEDED).build());
    cli.scheduler.jobs.put(
        FakeJobs.job("bad", "a", 1).toBuilder().setState(JobState.JOB_STATE_FAILED).build());
  }

  @AfterEach
  void close() {
    cli.close();
  }

  private CliRunner.Result run(String line) {
    return cli.run(
        line.replace("POLICY", folder.resolve("policy.yaml").toString())
            .replace("GOOD", folder.resolve("good.yaml").toString())
            .replace("BAD", folder.resolve("bad.yaml").toString())
            .split(" "));
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
