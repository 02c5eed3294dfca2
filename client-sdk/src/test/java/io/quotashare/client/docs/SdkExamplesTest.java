package io.quotashare.client.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.quotashare.client.Attempt;
import io.quotashare.client.CancelOptions;
import io.quotashare.client.CancelResult;
import io.quotashare.client.ChangeOptions;
import io.quotashare.client.ConflictException;
import io.quotashare.client.FieldProblem;
import io.quotashare.client.InfeasibleJobException;
import io.quotashare.client.InvalidRequestException;
import io.quotashare.client.Job;
import io.quotashare.client.JobEvent;
import io.quotashare.client.JobFilter;
import io.quotashare.client.JobHandle;
import io.quotashare.client.JobOrder;
import io.quotashare.client.JobPlan;
import io.quotashare.client.JobResult;
import io.quotashare.client.JobSpec;
import io.quotashare.client.JobState;
import io.quotashare.client.JobWatch;
import io.quotashare.client.LogOptions;
import io.quotashare.client.LogStream;
import io.quotashare.client.QuotaShareClient;
import io.quotashare.client.QuotaShareException;
import io.quotashare.client.RequeueOptions;
import io.quotashare.client.Submission;
import io.quotashare.client.SubmitOptions;
import io.quotashare.client.SubmitOutcome;
import io.quotashare.client.WatchOptions;
import io.quotashare.client.fake.FakeJobs;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.v1.HoldJobRequest;
import io.quotashare.proto.v1.JobEventType;
import io.quotashare.proto.v1.RequeueJobRequest;
import io.quotashare.proto.v1.SubmitJobRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The examples of docs/sdk.md about jobs. What stands between {@code snippet:} and {@code end}
 * stands in the page, too; {@link SdkPageTest} compares the two.
 */
class SdkExamplesTest {
  private static final String NAME = "queues/research/jobs/train-7";

  private final FakeScheduler scheduler = new FakeScheduler();
  private final QuotaShareClient client = scheduler.client();
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

  @BeforeEach
  void putAJobThatRuns() {
    scheduler.jobs.put(
        FakeJobs.job("train-7", "background", 10).toBuilder()
            .setName(NAME)
            .setState(io.quotashare.proto.v1.JobState.JOB_STATE_RUNNING)
            .setAttemptCount(1)
            .setLatestAttempt(
                io.quotashare.proto.v1.Attempt.newBuilder()
                    .setName(NAME + "/attempts/1")
                    .setState(io.quotashare.proto.v1.JobState.JOB_STATE_RUNNING))
            .build());
  }

  @AfterEach
  void close() {
    scheduler.close();
  }

  private String printed() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  private static JobSpec spec(int gpus) {
    return JobSpec.builder("research", "background").gpus(gpus).command("true").build();
  }

  /** Ends the job as soon as somebody waits for it. */
  private CompletableFuture<Void> endOnceWatched(String name) {
    return CompletableFuture.runAsync(
        () -> {
          org.awaitility.Awaitility.await().until(() -> scheduler.jobs.watchers() > 0);
          scheduler.jobs.end(name, io.quotashare.proto.v1.JobState.JOB_STATE_SUCCEEDED, "");
        });
  }

  @Test
  void first() {
    var ending = endOnceWatched("queues/q/jobs/j-1");
    scheduler.failNext(
        io.quotashare.proto.v1.UpdateJobPriorityRequest.class,
        Status.UNAVAILABLE.asRuntimeException());
    // snippet: first
    JobSpec spec =
        JobSpec.builder("research", "background")
            .gpus(4)
            .priority(10)
            .command("python3", "/data/train.py")
            .checkpointEvery(Duration.ofMinutes(10))
            .onDemandCheckpoint()
            .build();

    JobHandle job = client.jobs().submit(spec);
    job.updatePriority(50);
    out.println(job.explain().summary());
    JobResult result = job.await();
    // end

    ending.join();
    assertThat(result.succeeded()).isTrue();
    assertThat(printed()).contains("it waits");
  }

  @Test
  void connect() {
    // snippet: connect
    try (QuotaShareClient client =
        QuotaShareClient.builder("sched-a:7070,sched-b:7070")
            .adminAddress("sched-a:7072,sched-b:7072")
            .userAgent("training-launcher/1.4")
            .connectionListener(message -> out.println(message))
            .build()) {
      out.println(client.jobs().handle("research", "train-7"));
    }
    // end
    assertThat(printed()).isNotEmpty();
  }

  @Test
  void submit() {
    UUID nightlyRun = UUID.nameUUIDFromBytes(new byte[] {1});
    JobSpec spec = spec(1);
    // snippet: submit
    JobHandle job =
        client
            .jobs()
            .submit(
                spec, SubmitOptions.defaults().withJobId("nightly-17").withRequestId(nightlyRun));
    // end
    assertThat(job.id()).isEqualTo("nightly-17");
    assertThat(scheduler.requests(SubmitJobRequest.class).get(0).getRequestId())
        .isEqualTo(nightlyRun.toString());
  }

  @Test
  void submitAll() {
    List<Submission> batch = List.of(Submission.of(spec(1)), Submission.of(spec(64)));
    scheduler.failNextAfter(
        SubmitJobRequest.class,
        1,
        FakeScheduler.failure(
            Status.Code.FAILED_PRECONDITION,
            "64 GPUs are more than 32",
            "QUEUE_CAPACITY_EXCEEDED"));
    // snippet: submit-all
    List<JobHandle> accepted = new ArrayList<>();
    for (SubmitOutcome outcome : client.jobs().submitAll(batch)) {
      if (outcome instanceof SubmitOutcome.Accepted job) {
        accepted.add(job.handle());
      } else if (outcome instanceof SubmitOutcome.Refused refused) {
        out.println("refused: " + refused.failure().getMessage());
      }
    }
    // end
    assertThat(accepted).hasSize(1);
    assertThat(printed()).isEqualToIgnoringNewLines("refused: 64 GPUs are more than 32");
  }

  @Test
  void planAndValidate() {
    JobSpec spec = spec(4);
    scheduler.jobs.plan =
        io.quotashare.proto.v1.PlanJobResponse.newBuilder()
            .setSummary("it would start at once")
            .addVictims(
                io.quotashare.proto.v1.PlannedVictim.newBuilder()
                    .setJob("queues/research/jobs/old")
                    .setGpus(4))
            .build();
    // snippet: plan
    Job asAccepted = client.jobs().validate(spec, SubmitOptions.defaults());
    JobPlan plan = client.jobs().plan(spec);
    out.println(plan.summary());
    plan.victims().forEach(victim -> out.println(victim.jobId() + " " + victim.gpus()));
    // end
    assertThat(asAccepted.totalGpus()).isEqualTo(4);
    assertThat(printed()).contains("it would start at once", "old 4");
    assertThat(client.jobs().list(JobFilter.of("research"))).as("nothing is changed").hasSize(1);
  }

  @Test
  void list() {
    // snippet: list
    JobFilter mine =
        JobFilter.of("research").ofShare("background").in(JobState.RUNNABLE, JobState.RUNNING);
    for (Job job : client.jobs().list(mine, JobOrder.NEWEST_FIRST)) {
      out.println(job.id() + " " + job.state() + " " + job.priority());
    }
    Job one = client.jobs().get("queues/research/jobs/train-7");
    JobHandle handle = client.jobs().handle("research", "train-7");
    // end
    assertThat(printed()).isEqualToIgnoringNewLines("train-7 RUNNING 10");
    assertThat(handle.name()).isEqualTo(one.name());
  }

  @Test
  void steer() {
    JobHandle job = client.jobs().handle("research", "train-7");
    // snippet: hold
    Job asRead = job.get();
    job.hold(ChangeOptions.defaults().ifUnchanged(asRead.etag()));
    job.release();
    job.requeue(RequeueOptions.defaults().holding().because("wrong data"));
    job.updatePriority(0);
    // end
    assertThat(scheduler.requests(HoldJobRequest.class).get(0).getEtag()).isEqualTo("1");
    RequeueJobRequest requeue = scheduler.requests(RequeueJobRequest.class).get(0);
    assertThat(requeue.getHold()).isTrue();
    assertThat(requeue.getReason()).isEqualTo("wrong data");
    assertThat(job.get().held()).isTrue();
    assertThat(job.get().priority()).isZero();
  }

  @Test
  void checkpoint() {
    JobHandle job = client.jobs().handle("research", "train-7");
    var acknowledged =
        CompletableFuture.runAsync(
            () -> {
              org.awaitility.Awaitility.await().until(() -> scheduler.jobs.watchers() > 0);
              scheduler.jobs.happen(
                  NAME,
                  JobEventType.JOB_EVENT_TYPE_CHECKPOINTED,
                  b ->
                      b.setLatestAttempt(
                          b.getLatestAttempt().toBuilder()
                              .setCheckpointAckSeq(
                                  b.getLatestAttempt().getCheckpointRequestSeq())));
            });
    // snippet: checkpoint
    Job saved = job.checkpointAndAwait(Duration.ofMinutes(5));
    out.println("saved request " + saved.latestAttempt().checkpointAckSeq());
    job.checkpoint();
    // end
    acknowledged.join();
    assertThat(printed()).isEqualToIgnoringNewLines("saved request 1");
  }

  @Test
  void cancel() {
    scheduler.jobs.put(
        FakeJobs.job("a", "background", 1).toBuilder()
            .setName("queues/research/jobs/a")
            .setSpec(
                FakeJobs.job("a", "background", 1).getSpec().toBuilder().putLabels("sweep", "lr-3"))
            .build());
    JobHandle job = client.jobs().handle("research", "train-7");
    // snippet: cancel
    job.cancel("superseded by nightly-18");

    JobFilter sweep = JobFilter.of("research").labelled("sweep", "lr-3");
    CancelOptions why = CancelOptions.because("wrong learning rate");
    CancelResult would = client.jobs().checkCancelAll(sweep, why);
    CancelResult cancelled = client.jobs().cancelAll(sweep, why);
    // end
    assertThat(job.get().endReason()).isEqualTo("cancelled: superseded by nightly-18");
    assertThat(would.jobs()).containsExactly("queues/research/jobs/a");
    assertThat(cancelled.jobs()).isEqualTo(would.jobs());
    assertThat(cancelled.remaining()).isZero();
  }

  @Test
  void watch() {
    // snippet: watch
    try (JobWatch watch = client.jobs().watch(WatchOptions.ofQueue("research"))) {
      for (JobEvent event : watch) {
        out.println(event.type() + " " + event.job().id());
        if (event.job().state().isTerminal()) {
          break;
        }
        // end
        scheduler.jobs.end(NAME, io.quotashare.proto.v1.JobState.JOB_STATE_SUCCEEDED, "");
        // snippet: watch
      }
    }
    // end
    assertThat(printed()).isEqualToIgnoringNewLines("SNAPSHOT train-7SUCCEEDED train-7");
  }

  @Test
  void awaiting() throws Exception {
    JobHandle job = client.jobs().handle("research", "train-7");
    var ending = endOnceWatched(NAME);
    // snippet: await
    JobResult result = job.await(Duration.ofHours(12));
    out.println(result.state() + ", exit code " + result.exitCode());

    CompletableFuture<JobResult> later = client.jobs().awaitAsync(job.name());
    // end
    ending.join();
    assertThat(later.get(20, TimeUnit.SECONDS).state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(printed()).isEqualToIgnoringNewLines("SUCCEEDED, exit code null");
  }

  @Test
  void explain() throws IOException {
    scheduler.jobs.putAttempts(
        NAME,
        List.of(
            io.quotashare.proto.v1.Attempt.newBuilder()
                .setName(NAME + "/attempts/1")
                .setEndReason("exit code 1")
                .build()));
    scheduler.jobs.putLog(NAME, 1, "step 1\n");
    JobHandle job = client.jobs().handle("research", "train-7");
    // snippet: explain
    job.explain().details().forEach(out::println);
    for (Attempt attempt : job.attempts()) {
      out.println(attempt.number() + ": " + attempt.endReason());
    }
    try (LogStream logs = job.logs(LogOptions.newest().following())) {
      logs.copyTo(out);
    }
    // end
    assertThat(printed()).contains("two GPUs are being taken back", "1: exit code 1", "step 1");
  }

  @Test
  void failures() {
    JobSpec spec = spec(64);
    scheduler.failNext(
        SubmitJobRequest.class,
        FakeScheduler.failure(
            Status.Code.FAILED_PRECONDITION,
            "64 GPUs are more than 32",
            "QUEUE_CAPACITY_EXCEEDED"));
    // snippet: failures
    try {
      client.jobs().submit(spec);
    } catch (InfeasibleJobException e) {
      out.println("never as things are (" + e.reason() + "): " + e.getMessage());
    } catch (InvalidRequestException e) {
      for (FieldProblem problem : e.fields()) {
        out.println(problem.field() + ": " + problem.message());
      }
    } catch (QuotaShareException e) {
      out.println("try again after " + e.retryAfter() + ": " + e.getMessage());
    }
    // end
    assertThat(printed())
        .isEqualToIgnoringNewLines(
            "never as things are (QUEUE_CAPACITY_EXCEEDED): 64 GPUs are more than 32");
  }

  @Test
  void futures() {
    // snippet: futures
    CompletableFuture<String> summary =
        client
            .jobs()
            .submitAsync(JobSpec.builder("research", "vision").gpus(1).command("eval").build())
            .thenCompose(JobHandle::explainAsync)
            .thenApply(explanation -> explanation.summary());
    // end
    assertThat(summary.join()).isEqualTo("it waits");
    assertThatThrownBy(() -> client.jobs().hold(NAME, ChangeOptions.defaults().ifUnchanged("0")))
        .isInstanceOf(ConflictException.class);
  }
}
