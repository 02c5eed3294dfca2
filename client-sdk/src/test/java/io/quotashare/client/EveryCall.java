package io.quotashare.client;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.Message;
import io.quotashare.client.fake.FakeJobs;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.proto.v1.StreamJobLogsRequest;
import io.quotashare.proto.v1.WatchJobsRequest;
import io.quotashare.proto.v1.WatchQuotaSharesRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Every call of the client, with every option that it has. */
final class EveryCall {
  private static final UUID ID = UUID.nameUUIDFromBytes(new byte[] {7});
  private static final Instant TIME = Instant.parse("2026-03-01T12:00:00Z");

  private final FakeScheduler scheduler;
  private final QuotaShareClient client;
  private final Map<Class<? extends Message>, Integer> seenStreams = new HashMap<>();

  EveryCall(FakeScheduler scheduler, QuotaShareClient client) {
    this.scheduler = scheduler;
    this.client = client;
  }

  /** Makes them, one after another. */
  void makeAll() {
    scheduler.jobs.put(
        FakeJobs.job("j", "s", 1).toBuilder()
            .setAttemptCount(1)
            .setLatestAttempt(
                io.quotashare.proto.v1.Attempt.newBuilder().setName("queues/q/jobs/j/attempts/1"))
            .build());
    scheduler.queues.put(
        GetQueueSnapshotResponse.newBuilder()
            .setQueue(io.quotashare.proto.v1.Queue.newBuilder().setName("queues/q"))
            .addShares(
                QuotaShareStatus.newBuilder()
                    .setShare(
                        io.quotashare.proto.v1.QuotaShare.newBuilder()
                            .setName("queues/q/shares/s")
                            .setEtag("1")
                            .setState(io.quotashare.proto.v1.AdminState.ADMIN_STATE_DISABLED)))
            .build());
    scheduler.queues.nodes.add(io.quotashare.proto.v1.Node.newBuilder().setName("nodes/n").build());
    scheduler.queues.auditEvents.addAll(
        java.util.Collections.nCopies(
            3, io.quotashare.proto.admin.v1.AuditEvent.getDefaultInstance()));
    submissions();
    jobs();
    shares();
    policies();
    queues();
    admin();
  }

  /** Closes the stream once its request has come. */
  private void open(AutoCloseable stream, Class<? extends Message> request) {
    int before = seenStreams.merge(request, 1, Integer::sum);
    await().until(() -> scheduler.requests(request).size() >= before);
    try {
      stream.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void submissions() {
    JobSpec shaped =
        JobSpec.builder("q", "s")
            .name("n")
            .shape(2, 4)
            .unit("H100")
            .priority(7)
            .command("a")
            .env("A", "1")
            .workingDirectory("/w")
            .label("l", "v")
            .timeLimit(Duration.ofHours(1))
            .grace(Duration.ofSeconds(10))
            .lostAfter(Duration.ofMinutes(1))
            .checkpointEvery(Duration.ofMinutes(5))
            .onDemandCheckpoint()
            .retries(2)
            .retryExitCodes(75)
            .preemptionRetriesBeforeTermination(3)
            .neverBorrow()
            .allowInfeasible()
            .build();
    JobSpec counted =
        JobSpec.builder("q", "s").gpus(2).command("a").lostNever().failExitCodes(2).build();
    SubmitOptions options = SubmitOptions.defaults().withJobId("chosen").withRequestId(ID);
    client.jobs().validate(shaped, options);
    client.jobs().submit(counted, options);
    client.jobs().submitAll(List.of(new Submission(shaped, options)));
    client.jobs().plan(counted);
  }

  private void jobs() {
    String name = "queues/q/jobs/j";
    ChangeOptions change = ChangeOptions.defaults().ifUnchanged("1").withRequestId(ID);
    JobFilter filter = JobFilter.of("q").in(JobState.RUNNABLE).ofShare("s").labelled("l", "v");
    client.jobs().get(name);
    client.jobs().list(filter, JobOrder.NEWEST_FIRST).forEach(job -> {});
    // More than a page, so that a token is sent.
    client.jobs().submit(JobSpec.builder("q", "s").gpus(1).command("a").build());
    client.jobs().submit(JobSpec.builder("q", "s").gpus(1).command("a").build());
    client.jobs().list(JobFilter.all()).forEach(job -> {});
    WatchOptions watch = WatchOptions.ofQueue("q").onlyJob("j");
    open(client.jobs().watch(watch.withoutSnapshot()), WatchJobsRequest.class);
    open(client.jobs().watch(watch.after(100)), WatchJobsRequest.class);
    client.jobs().updatePriority(name, 3, change);
    client.jobs().hold(name, change);
    client.jobs().release(name, change);
    client
        .jobs()
        .requeue(
            name,
            RequeueOptions.defaults().holding().because("r").ifUnchanged("1").withRequestId(ID));
    client.jobs().checkpoint(name, ID);
    client.jobs().explain(name);
    client.jobs().attempts(name).forEach(attempt -> {});
    client.jobs().attemptsAsync(name, "1").join();
    open(client.jobs().logs(name, new LogOptions(1, 1, true, 1)), StreamJobLogsRequest.class);
    client.jobs().checkCancelAll(filter, CancelOptions.because("r").withRequestId(ID));
    client.jobs().cancelAll(JobFilter.of("q"), CancelOptions.because("r").forEveryJob());
    client.jobs().cancel(name, "r", ID);
  }

  private void shares() {
    QuotaShare share = QuotaShare.of("q", "made", Map.of("H100", 1), SharingStrategy.LEND, true);
    client.shares().get("q", "s");
    client.shares().list("q").forEach(status -> {});
    client.shares().listAsync("q", "1").join();
    client.shares().checkCreate(share);
    client.shares().create(share, ID);
    ShareUpdate.Builder percent =
        ShareUpdate.of("q", "made")
            .capacity(Map.of("H100", 2))
            .strategy(SharingStrategy.LEND_AND_BORROW)
            .borrowLimitPercent(10)
            .lendLimitPercent(10)
            .inSharePreemption(true)
            .ordering(ShareOrdering.BACKFILL)
            .weight(3)
            .minRuntime(Duration.ofMinutes(1))
            .state(AdminState.DISABLED);
    ShareUpdate devices =
        percent
            .borrowLimit(Map.of("H100", 1))
            .lendLimit(Map.of("H100", 1))
            .ifUnchanged("1")
            .build();
    client.shares().checkUpdate(percent.borrowLimitPercent(10).lendLimitPercent(10).build());
    client.shares().update(devices.drainingNow().withRequestId(ID));
    ChangeOptions change = ChangeOptions.defaults().ifUnchanged("2").withRequestId(ID);
    client.shares().checkDeleteAsync("q", "made", change).join();
    client.shares().delete("q", "made", change);
    open(
        client.shares().watch(ShareWatchOptions.ofQueue("q").after(500)),
        WatchQuotaSharesRequest.class);
    client.shares().loans("q");
  }

  private void policies() {
    Queue defaults = Queue.of("q");
    Queue queue =
        new Queue(
            "q",
            AdminState.DISABLED,
            Map.of("pool", "p"),
            IdleAssignment.FAIR,
            UnassignedCapacity.IDLE,
            defaults.maxGrace(),
            defaults.lostWorkCap(),
            defaults.restartCost(),
            List.of(new StateTimeLimit("QUEUE_CAPACITY_EXCEEDED", Duration.ofMinutes(1))),
            PreemptionMode.OBSERVE_ONLY,
            "1");
    List<PolicyQueue> policy =
        List.of(
            new PolicyQueue(
                queue,
                List.of(QuotaShare.of("q", "s", Map.of("H100", 1), SharingStrategy.LEND, true))));
    PolicyOptions options = PolicyOptions.defaults().drainingNow().pruning().withRequestId(ID);
    client.shares().checkPolicy(policy, options);
    client.shares().applyPolicy(policy, options);
    client.shares().planPolicy(policy, options);
  }

  private void queues() {
    client.queues().get("q");
    client.queues().list().forEach(queue -> {});
    client.queues().listAsync("1").join();
    client.queues().snapshot("q");
    client
        .queues()
        .usageReport(
            "q",
            UsageQuery.whole()
                .ofShare("s")
                .from(TIME)
                .until(TIME.plusSeconds(600))
                .every(Duration.ofMinutes(1)));
    PreemptionFilter filter = PreemptionFilter.all().ofShare("s").ofJob("j");
    client.queues().preemptions("q", filter).forEach(preemption -> {});
    client.queues().preemptionsAsync("q", filter, "1").join();
    client.nodes().get("n");
    client.nodes().list("q").forEach(node -> {});
    client.nodes().listAsync("q", "1").join();
  }

  private void admin() {
    AdminClient admin = client.admin();
    admin.cordon("n", ID);
    admin.uncordon("n", ID);
    admin.drain("n", ID);
    admin.fence("n", ID);
    admin.pause("r", ID);
    admin.resume(ID);
    admin.verify();
    admin.auditEvents(AuditFilter.all().of("queues/q").since(TIME)).forEach(event -> {});
    admin.status();
  }
}
