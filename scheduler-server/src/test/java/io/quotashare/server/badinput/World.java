package io.quotashare.server.badinput;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.grpc.stub.StreamObserver;
import io.quotashare.proto.admin.v1.CordonNodeRequest;
import io.quotashare.proto.admin.v1.DrainNodeRequest;
import io.quotashare.proto.admin.v1.FenceNodeRequest;
import io.quotashare.proto.admin.v1.GetSchedulerStatusRequest;
import io.quotashare.proto.admin.v1.ListAuditEventsRequest;
import io.quotashare.proto.admin.v1.PauseSchedulingRequest;
import io.quotashare.proto.admin.v1.ResumeSchedulingRequest;
import io.quotashare.proto.admin.v1.UncordonNodeRequest;
import io.quotashare.proto.admin.v1.VerifyStateRequest;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.Heartbeat;
import io.quotashare.proto.agent.v1.Progress;
import io.quotashare.proto.agent.v1.PushLogsRequest;
import io.quotashare.proto.agent.v1.RegisterResponse;
import io.quotashare.proto.agent.v1.ReportInventoryRequest;
import io.quotashare.proto.agent.v1.SessionRequest;
import io.quotashare.proto.v1.AdminState;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.CancelJobsRequest;
import io.quotashare.proto.v1.CheckpointJobRequest;
import io.quotashare.proto.v1.CreateQuotaShareRequest;
import io.quotashare.proto.v1.DeleteQuotaShareRequest;
import io.quotashare.proto.v1.ExplainJobRequest;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.GetNodeRequest;
import io.quotashare.proto.v1.GetQueueRequest;
import io.quotashare.proto.v1.GetQueueSnapshotRequest;
import io.quotashare.proto.v1.GetQuotaShareRequest;
import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.proto.v1.HoldJobRequest;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.JobSpec;
import io.quotashare.proto.v1.ListAttemptsRequest;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.ListLoansRequest;
import io.quotashare.proto.v1.ListNodesRequest;
import io.quotashare.proto.v1.ListPreemptionsRequest;
import io.quotashare.proto.v1.ListQueuesRequest;
import io.quotashare.proto.v1.ListQuotaSharesRequest;
import io.quotashare.proto.v1.PlanJobRequest;
import io.quotashare.proto.v1.PlanPolicyRequest;
import io.quotashare.proto.v1.PolicyQueue;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.proto.v1.ReleaseJobRequest;
import io.quotashare.proto.v1.RequeueJobRequest;
import io.quotashare.proto.v1.SharingStrategy;
import io.quotashare.proto.v1.StateTimeLimit;
import io.quotashare.proto.v1.StreamJobLogsRequest;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.SubmitJobsRequest;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import io.quotashare.proto.v1.UpdateQuotaShareRequest;
import io.quotashare.proto.v1.WatchJobsRequest;
import io.quotashare.proto.v1.WatchQuotaSharesRequest;
import io.quotashare.server.DeepDump;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.grpc.Times;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A scheduler with something in it: queue {@code research}, a node {@code n1} with four GPUs, a
 * running and a waiting job, a share that is switched off. And for every method requests that it
 * would take.
 */
final class World implements AutoCloseable {
  private static final String UUID = "123e4567-e89b-12d3-a456-426614174000";
  private static final String RUNNING = "queues/research/jobs/running";
  private static final String WAITING = "queues/research/jobs/waiting";

  private final TestServer server = TestServer.create();
  private final FakeAgent agent = new FakeAgent(server, "n1", 4);
  private final Map<String, List<Supplier<Message>>> good = new TreeMap<>();

  World() {
    ApplyPolicyRequest policy = Policies.lenderAndBorrower();
    PolicyQueue.Builder queue = policy.getQueues(0).toBuilder();
    queue.addShares(
        Policies.share("retired", 0)
            .setStrategy(SharingStrategy.SHARING_STRATEGY_RESERVE)
            .setState(AdminState.ADMIN_STATE_DISABLED));
    server.answer(server.shares().applyPolicy(policy.toBuilder().setQueues(0, queue).build()));
    agent.join();
    SubmitJobRequest.Builder running = Policies.submit("running", "lender", 1);
    running.getSpecBuilder().setOnDemandCheckpoint(true);
    server.answer(server.jobs().submitJob(running.build()));
    agent.run(RUNNING + "/attempts/1");
    server.answer(server.jobs().submitJob(Policies.submit("waiting", "lender", 2).build()));
    silentNode();
    jobs();
    shares();
    queues();
    admin();
    agents();
  }

  TestServer server() {
    return server;
  }

  /** Requests that the method takes, at least one for every field that it has. */
  List<Supplier<Message>> good(String method) {
    return good.getOrDefault(method, List.of());
  }

  /** Everything that the scheduler knows, on its disk and in memory. */
  String state() {
    CompletableFuture<String> inMemory =
        server.engine().call(step -> decided -> DeepDump.of(decided.scheduler()));
    server.settle();
    return DeepDump.of(server.store()) + inMemory.join();
  }

  private void put(String method, Message... requests) {
    good.put(method, Arrays.stream(requests).map(r -> (Supplier<Message>) () -> r).toList());
  }

  private void jobs() {
    JobSpec spec = spec();
    SubmitJobRequest submit =
        SubmitJobRequest.newBuilder()
            .setParent("queues/research")
            .setJobId("fresh")
            .setSpec(spec)
            .setRequestId(UUID)
            .build();
    put("JobService/SubmitJob", submit);
    put(
        "JobService/SubmitJobs",
        SubmitJobsRequest.newBuilder().setParent("queues/research").addRequests(submit).build());
    put(
        "JobService/PlanJob",
        PlanJobRequest.newBuilder().setParent("queues/research").setSpec(spec).build());
    put("JobService/GetJob", GetJobRequest.newBuilder().setName(RUNNING).build());
    put("JobService/ExplainJob", ExplainJobRequest.newBuilder().setName(WAITING).build());
    put("JobService/ListJobs", ListJobsRequest.newBuilder().setParent("queues/research").build());
    put("JobService/WatchJobs", WatchJobsRequest.newBuilder().setParent("queues/research").build());
    put("JobService/ListAttempts", ListAttemptsRequest.newBuilder().setParent(RUNNING).build());
    put("JobService/StreamJobLogs", StreamJobLogsRequest.newBuilder().setName(RUNNING).build());
    put(
        "JobService/UpdateJobPriority",
        UpdateJobPriorityRequest.newBuilder()
            .setName(WAITING)
            .setPriority(7)
            .setRequestId(UUID)
            .build());
    put(
        "JobService/HoldJob",
        HoldJobRequest.newBuilder().setName(WAITING).setRequestId(UUID).build());
    put(
        "JobService/ReleaseJob",
        ReleaseJobRequest.newBuilder().setName(WAITING).setRequestId(UUID).build());
    put(
        "JobService/RequeueJob",
        RequeueJobRequest.newBuilder().setName(RUNNING).setRequestId(UUID).build());
    put(
        "JobService/CheckpointJob",
        CheckpointJobRequest.newBuilder().setName(RUNNING).setRequestId(UUID).build());
    put(
        "JobService/CancelJob",
        CancelJobRequest.newBuilder().setName(WAITING).setReason("enough").build());
    put(
        "JobService/CancelJobs",
        CancelJobsRequest.newBuilder()
            .setParent("queues/research")
            .setShare("lender")
            .setRequestId(UUID)
            .build());
  }

  /** Node {@code n2}, whose agent was heard and is not heard any more. */
  private void silentNode() {
    new FakeAgent(server, "n2", 0).join().disconnect();
    for (int i = 0; i < 15; i++) {
      server.advance(1_000);
      agent.heartbeat();
      server.settle();
    }
  }

  private static JobSpec spec() {
    Duration minute = Times.duration(60_000);
    return JobSpec.newBuilder()
        .setShare("queues/research/shares/lender")
        .setDisplayName("a job")
        .setNodes(1)
        .setGpusPerNode(1)
        .setUnit("H100")
        .setPriority(5)
        .addCommand("/bin/train")
        .putEnv("A", "b")
        .setWorkingDirectory("/tmp")
        .putLabels("team", "a")
        .setTimeLimit(minute)
        .setGrace(minute)
        .setLostAfter(minute)
        .setCheckpointEvery(minute)
        .setRetries(1)
        .setPreemptionRetriesBeforeTermination(1)
        .build();
  }

  private void shares() {
    QuotaShare share =
        Policies.share("borrower", 1)
            .setStrategy(SharingStrategy.SHARING_STRATEGY_LEND_AND_BORROW)
            .setBorrowLimitPercent(50)
            .setLendLimitPercent(50)
            .setWeight(2)
            .setMinRuntime(Times.duration(1_000))
            .build();
    put(
        "QuotaShareService/GetQuotaShare",
        GetQuotaShareRequest.newBuilder().setName(share.getName()).build());
    put(
        "QuotaShareService/ListQuotaShares",
        ListQuotaSharesRequest.newBuilder().setParent("queues/research").build());
    put(
        "QuotaShareService/CreateQuotaShare",
        CreateQuotaShareRequest.newBuilder()
            .setParent("queues/research")
            .setShareId("fresh")
            .setShare(share.toBuilder().clearName())
            .setRequestId(UUID)
            .build());
    put(
        "QuotaShareService/UpdateQuotaShare",
        UpdateQuotaShareRequest.newBuilder()
            .setShare(share)
            .setUpdateMask(FieldMask.newBuilder().addPaths("*"))
            .setRequestId(UUID)
            .build());
    put(
        "QuotaShareService/DeleteQuotaShare",
        DeleteQuotaShareRequest.newBuilder()
            .setName("queues/research/shares/retired")
            .setRequestId(UUID)
            .build());
    put(
        "QuotaShareService/WatchQuotaShares",
        WatchQuotaSharesRequest.newBuilder().setParent("queues/research").build());
    put(
        "QuotaShareService/ListLoans",
        ListLoansRequest.newBuilder().setParent("queues/research").build());
    PolicyQueue queue = PolicyQueue.newBuilder().setQueue(queue()).addShares(share).build();
    put(
        "QuotaShareService/ApplyPolicy",
        ApplyPolicyRequest.newBuilder().addQueues(queue).setRequestId(UUID).build());
    put("QuotaShareService/PlanPolicy", PlanPolicyRequest.newBuilder().addQueues(queue).build());
  }

  private static Queue queue() {
    return Queue.newBuilder()
        .setName("queues/research")
        .setMaxGrace(Times.duration(60_000))
        .setLostWorkCap(Times.duration(60_000))
        .setRestartCost(Times.duration(60_000))
        .addStateTimeLimits(
            StateTimeLimit.newBuilder()
                .setReason("QUEUE_CAPACITY_EXCEEDED")
                .setMax(Times.duration(60_000)))
        .build();
  }

  private void queues() {
    put("QueueService/GetQueue", GetQueueRequest.newBuilder().setName("queues/research").build());
    put("QueueService/ListQueues", ListQueuesRequest.getDefaultInstance());
    put(
        "QueueService/GetQueueSnapshot",
        GetQueueSnapshotRequest.newBuilder().setName("queues/research").build());
    put("QueueService/ListNodes", ListNodesRequest.newBuilder().setQueue("research").build());
    put("QueueService/GetNode", GetNodeRequest.newBuilder().setName("nodes/n1").build());
    put(
        "QueueService/ListPreemptions",
        ListPreemptionsRequest.newBuilder().setParent("queues/research").build());
    Timestamp now = agent.now();
    put(
        "QueueService/GetUsageReport",
        GetUsageReportRequest.newBuilder()
            .setName("queues/research")
            .setStart(now.toBuilder().setSeconds(now.getSeconds() - 3600))
            .setEnd(now)
            .setStep(Times.duration(600_000))
            .build());
  }

  private void admin() {
    put("AdminService/CordonNode", CordonNodeRequest.newBuilder().setName("nodes/n1").build());
    put("AdminService/UncordonNode", UncordonNodeRequest.newBuilder().setName("nodes/n1").build());
    put("AdminService/DrainNode", DrainNodeRequest.newBuilder().setName("nodes/n1").build());
    put("AdminService/FenceNode", FenceNodeRequest.newBuilder().setName("nodes/n2").build());
    put(
        "AdminService/PauseScheduling",
        PauseSchedulingRequest.newBuilder().setReason("why").build());
    put("AdminService/ResumeScheduling", ResumeSchedulingRequest.getDefaultInstance());
    put("AdminService/VerifyState", VerifyStateRequest.getDefaultInstance());
    put("AdminService/ListAuditEvents", ListAuditEventsRequest.getDefaultInstance());
    put("AdminService/GetSchedulerStatus", GetSchedulerStatusRequest.getDefaultInstance());
  }

  private void agents() {
    put("AgentService/Register", agent.request(status()));
    good.put(
        "AgentService/Session",
        List.of(
            () ->
                session()
                    .setHeartbeat(
                        Heartbeat.newBuilder().setInventoryHash("h4").addAttempts(status()))
                    .build(),
            () -> session().setAttemptStatus(status()).build()));
    good.put(
        "AgentService/ReportInventory",
        List.of(
            () -> {
              RegisterResponse with = agent.register(status());
              return ReportInventoryRequest.newBuilder()
                  .setEpoch(with.getEpoch())
                  .setSession(with.getSession())
                  .setInventory(agent.inventory())
                  .build();
            }));
    good.put("AgentService/PushLogs", List.of(this::pushLogs));
  }

  private SessionRequest.Builder session() {
    RegisterResponse with = agent.register(status());
    return SessionRequest.newBuilder()
        .setEpoch(with.getEpoch())
        .setSession(with.getSession())
        .setSeq(1);
  }

  private static AttemptStatus status() {
    return AttemptStatus.newBuilder()
        .setAttempt(RUNNING + "/attempts/1")
        .setVersion(2)
        .setPhase(AttemptPhase.ATTEMPT_PHASE_RUNNING)
        .setProgress(Progress.newBuilder().setOnDemand(true))
        .build();
  }

  /** Asks for output, as a user does, and answers with some. */
  private Message pushLogs() {
    agent.register(status());
    agent.connect();
    agent.received().clear();
    // Nobody waits any longer for what was asked for before.
    server.logs().tick(server.clock().monotonicNanos() + 3_600_000_000_000L);
    JobServiceGrpc.newStub(server.channel())
        .streamJobLogs(StreamJobLogsRequest.newBuilder().setName(RUNNING).build(), new Ignored<>());
    server.settle();
    String id =
        agent.commands().stream()
            .filter(c -> c.hasFetchLogs())
            .map(c -> c.getFetchLogs().getRequestId())
            .findFirst()
            .orElseThrow();
    return PushLogsRequest.newBuilder()
        .setRequestId(id)
        .setData(ByteString.copyFromUtf8("out"))
        .build();
  }

  @Override
  public void close() {
    server.close();
  }

  /** A reader who does not care. */
  private static final class Ignored<T> implements StreamObserver<T> {
    @Override
    public void onNext(T value) {}

    @Override
    public void onError(Throwable cause) {}

    @Override
    public void onCompleted() {}
  }
}
