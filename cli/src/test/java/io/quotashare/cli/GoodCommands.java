package io.quotashare.cli;

import com.google.protobuf.Message;
import io.quotashare.client.fake.FakeJobs;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A good command line of every command, against a scheduler that has what they ask for. */
final class GoodCommands {
  /**
   * A command line that is good, and how the same fails.
   *
   * @param name of the command
   * @param line that is good; FILE and POLICY stand for files
   * @param request that it sends; null: it asks no scheduler
   * @param notSo a line that ends with 1; empty: there is none, or another test has it
   */
  record Row(String name, String line, @Nullable Class<? extends Message> request, String notSo) {
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

  private GoodCommands() {}

  /** Puts what the command lines ask for, and writes the files that they name. */
  static void prepare(CliRunner cli, Path folder) throws IOException {
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

  /** Runs a line of the table. */
  static CliRunner.Result run(CliRunner cli, Path folder, String line) {
    return cli.run(
        line.replace("POLICY", folder.resolve("policy.yaml").toString())
            .replace("GOOD", folder.resolve("good.yaml").toString())
            .replace("BAD", folder.resolve("bad.yaml").toString())
            .split(" "));
  }
}
