package io.quotashare.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.grpc.Status;
import io.quotashare.client.fake.FakeJobs;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.v1.Attempt;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JobsClientTest {
  private final FakeScheduler scheduler = new FakeScheduler();
  private final QuotaShareClient client = scheduler.client();

  @AfterEach
  void close() {
    scheduler.close();
  }

  private static JobSpec spec() {
    return JobSpec.builder("q", "a").gpus(1).command("python3", "train.py").build();
  }

  private static io.grpc.StatusRuntimeException unavailable() {
    return Status.UNAVAILABLE.withDescription("restarting").asRuntimeException();
  }

  @Test
  void submitSendsWhatTheSpecSays() {
    JobSpec spec =
        JobSpec.builder("research", "background")
            .gpus(4)
            .priority(0)
            .command("python3", "train.py")
            .env("A", "1")
            .checkpointEvery(Duration.ofMinutes(10))
            .preemptionRetriesBeforeTermination(0)
            .build();

    JobHandle job = client.jobs().submit(spec, SubmitOptions.defaults().withJobId("mine"));

    SubmitJobRequest sent = scheduler.requests(SubmitJobRequest.class).get(0);
    assertThat(job.name()).isEqualTo("queues/q/jobs/mine");
    assertThat(sent.getParent()).isEqualTo("queues/research");
    assertThat(sent.getJobId()).isEqualTo("mine");
    assertThat(UUID.fromString(sent.getRequestId())).isNotNull();
    assertThat(sent.getSpec().getShare()).isEqualTo("queues/research/shares/background");
    assertThat(sent.getSpec().hasPriority()).as("0 is a value").isTrue();
    assertThat(sent.getSpec().getPriority()).isZero();
    assertThat(sent.getSpec().hasPreemptionRetriesBeforeTermination()).isTrue();
    assertThat(sent.getSpec().getGpus()).isEqualTo(4);
    assertThat(sent.getSpec().hasNodes()).isFalse();
    assertThat(sent.getSpec().getCheckpointEvery().getSeconds()).isEqualTo(600);
    assertThat(sent.getValidateOnly()).isFalse();
  }

  @Test
  void aRetriedSubmissionCarriesTheSameRequestIdAndSubmitsOnce() {
    scheduler.failNext(SubmitJobRequest.class, unavailable());
    scheduler.failNext(SubmitJobRequest.class, unavailable());

    client.jobs().submit(spec());

    List<SubmitJobRequest> sent = scheduler.requests(SubmitJobRequest.class);
    assertThat(sent).hasSize(3);
    assertThat(sent)
        .extracting(SubmitJobRequest::getRequestId)
        .containsOnly(sent.get(0).getRequestId());
    assertThat(client.jobs().list(JobFilter.of("q"))).hasSize(1);
  }

  @Test
  void aRepeatWithTheCallersRequestIdReturnsTheFirstJob() {
    SubmitOptions options = SubmitOptions.defaults().withRequestId(UUID.randomUUID());

    assertThat(client.jobs().submit(spec(), options).id())
        .isEqualTo(client.jobs().submit(spec(), options).id());
  }

  @Test
  void onlyUnavailableIsRetried() {
    scheduler.failNext(
        GetJobRequest.class, Status.INTERNAL.withDescription("broken").asRuntimeException());

    assertThatThrownBy(() -> client.jobs().get("queues/q/jobs/x"))
        .isExactlyInstanceOf(QuotaShareException.class)
        .hasMessage("broken");
    assertThat(scheduler.requests(GetJobRequest.class)).hasSize(1);
  }

  @Test
  void validateSubmitsNothing() {
    Job job = client.jobs().validate(spec(), SubmitOptions.defaults());

    assertThat(job.state()).isEqualTo(JobState.SUBMITTED);
    assertThat(client.jobs().list(JobFilter.all())).isEmpty();
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(Status.Code.INVALID_ARGUMENT, "BAD_VALUE", InvalidRequestException.class),
        Arguments.of(Status.Code.NOT_FOUND, "SHARE_NOT_FOUND", NotFoundException.class),
        Arguments.of(Status.Code.ALREADY_EXISTS, "JOB_EXISTS", AlreadyExistsException.class),
        Arguments.of(
            Status.Code.ALREADY_EXISTS, "REQUEST_ID_REUSED", RequestIdReusedException.class),
        Arguments.of(
            Status.Code.INVALID_ARGUMENT, "REQUEST_ID_REUSED", RequestIdReusedException.class),
        Arguments.of(Status.Code.ABORTED, "ETAG_MISMATCH", ConflictException.class),
        Arguments.of(Status.Code.FAILED_PRECONDITION, "NO_NODE_FITS", InfeasibleJobException.class),
        Arguments.of(
            Status.Code.FAILED_PRECONDITION, "SHARE_LIMIT_EXCEEDED", InfeasibleJobException.class),
        Arguments.of(
            Status.Code.FAILED_PRECONDITION, "SHARE_DISABLED", PreconditionException.class),
        Arguments.of(Status.Code.RESOURCE_EXHAUSTED, "TOO_MANY_JOBS", LimitExceededException.class),
        Arguments.of(Status.Code.PERMISSION_DENIED, "NOT_YOURS", AccessDeniedException.class),
        Arguments.of(Status.Code.DEADLINE_EXCEEDED, "SLOW", CallTimedOutException.class),
        Arguments.of(Status.Code.UNIMPLEMENTED, "", UnsupportedCallException.class),
        Arguments.of(Status.Code.INTERNAL, "BUG", QuotaShareException.class));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aRefusalIsAnExceptionOfItsReason(
      Status.Code code, String reason, Class<? extends QuotaShareException> expected) {
    scheduler.failNext(
        SubmitJobRequest.class,
        FakeScheduler.failure(code, "spec.gpus: 12 is more than 8", reason, "spec.gpus", "12"));

    QuotaShareException refused =
        catchThrowableOfType(QuotaShareException.class, () -> client.jobs().submit(spec()));

    assertThat(refused).isExactlyInstanceOf(expected);
    assertThat(refused.reason()).isEqualTo(reason);
    assertThat(refused.fields()).containsExactly(new FieldProblem("spec.gpus", "12"));
    if (!reason.isEmpty()) {
      assertThat(refused).hasMessage("spec.gpus: 12 is more than 8");
    }
    assertThat(scheduler.requests(SubmitJobRequest.class)).hasSize(1);
  }

  /** The status is CANCELLED, and the caller has cancelled nothing. */
  @Test
  void aSchedulerThatBreaksTheCallOffIsUnavailable() {
    scheduler.failNext(
        GetJobRequest.class,
        Status.CANCELLED
            .withDescription("RST_STREAM closed stream. HTTP/2 error code: CANCEL")
            .asRuntimeException());

    assertThatThrownBy(() -> client.jobs().get("queues/q/jobs/x"))
        .isInstanceOf(SchedulerUnavailableException.class)
        .hasMessageContaining("no scheduler answers at fake:7070")
        .hasMessageContaining("RST_STREAM");
  }

  @Test
  void theFutureFormFailsWithTheSameException() {
    assertThatThrownBy(() -> client.jobs().getAsync("queues/q/jobs/none").join())
        .isInstanceOf(CompletionException.class)
        .cause()
        .asInstanceOf(type(NotFoundException.class))
        .extracting(QuotaShareException::reason)
        .isEqualTo("JOB_NOT_FOUND");
  }

  @Test
  void aListTurnsItsPages() {
    for (int i = 0; i < 5; i++) {
      scheduler.jobs.put(FakeJobs.job("j" + i, i < 3 ? "a" : "b", i));
    }

    assertThat(client.jobs().list(JobFilter.all()).stream().map(Job::id))
        .containsExactly("j0", "j1", "j2", "j3", "j4");
    assertThat(client.jobs().list(JobFilter.of("q").ofShare("a"))).hasSize(3);
    assertThat(client.jobs().list(JobFilter.of("q").in(JobState.RUNNING))).isEmpty();
    Page<Job> first = client.jobs().listAsync(JobFilter.all(), JobOrder.ID, "").join();
    assertThat(first.items()).hasSize(2);
    assertThat(first.nextPageToken()).isNotEmpty();
  }

  @Test
  void filtersTravel() {
    client
        .jobs()
        .list(JobFilter.of("q").in(JobState.RUNNING, JobState.RUNNABLE).labelled("team", "a"))
        .forEach(job -> {});

    ListJobsRequest sent = scheduler.requests(ListJobsRequest.class).get(0);
    assertThat(sent.getStatesList())
        .containsExactly(
            io.quotashare.proto.v1.JobState.JOB_STATE_RUNNABLE,
            io.quotashare.proto.v1.JobState.JOB_STATE_RUNNING);
    assertThat(sent.getLabelsMap()).containsEntry("team", "a");
  }

  @Test
  void priorityZeroIsSentAndAWrongOneIsNot() {
    scheduler.jobs.put(FakeJobs.job("j", "a", 5));

    Job changed = client.jobs().updatePriority("queues/q/jobs/j", 0);

    assertThat(changed.priority()).isZero();
    assertThat(scheduler.requests(UpdateJobPriorityRequest.class).get(0).hasPriority()).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.jobs().updatePriority("queues/q/jobs/j", 10_000))
        .withMessage("priority: 10000 is not valid here, expected 0 to 9999");
    assertThat(scheduler.requests(UpdateJobPriorityRequest.class)).hasSize(1);
  }

  @Test
  void aPriorityChangeOfAnOldReadingIsAConflict() {
    scheduler.jobs.put(FakeJobs.job("j", "a", 5));
    Job read = client.jobs().get("queues/q/jobs/j");
    scheduler.jobs.put(FakeJobs.job("j", "a", 6).toBuilder().setEtag("2").build());

    assertThatThrownBy(
            () ->
                client
                    .jobs()
                    .updatePriority(
                        read.name(), 7, ChangeOptions.defaults().ifUnchanged(read.etag())))
        .isInstanceOf(ConflictException.class);
  }

  @Test
  void theHandleSteersItsJob() {
    scheduler.jobs.put(FakeJobs.job("j", "a", 5));
    JobHandle job = client.jobs().handle("q", "j");

    assertThat(job.updatePriority(7).priority()).isEqualTo(7);
    assertThat(job.explain().summary()).isEqualTo("it waits");
    assertThat(job.explain().stoppingJobs()).containsExactly("victim");
    assertThat(job.cancel("enough").state()).isEqualTo(JobState.CANCELLED);
    assertThat(scheduler.requests(CancelJobRequest.class).get(0).getReason()).isEqualTo("enough");
    assertThat(job.get().endReason()).isEqualTo("cancelled: enough");
  }

  @Test
  void attemptsAndOutputAreRead() throws IOException {
    scheduler.jobs.put(FakeJobs.job("j", "a", 5).toBuilder().setAttemptCount(2).build());
    scheduler.jobs.putAttempts(
        "queues/q/jobs/j",
        List.of(Attempt.newBuilder().setName("queues/q/jobs/j/attempts/1").build()));
    scheduler.jobs.putLog("queues/q/jobs/j", 1, "first attempt, some lines\n");
    scheduler.jobs.putLog("queues/q/jobs/j", 2, "second\n");
    JobHandle job = client.jobs().handle("q", "j");

    assertThat(job.attempts()).extracting(io.quotashare.client.Attempt::number).containsExactly(1);
    assertThat(text(job.logs(LogOptions.newest()))).isEqualTo("second\n");
    assertThat(text(job.logs(LogOptions.newest().ofAttempt(1))))
        .isEqualTo("first attempt, some lines\n");
    assertThat(text(job.logs(LogOptions.newest().ofAttempt(1).from(6)))).startsWith("attempt,");
  }

  private static String text(LogStream stream) throws IOException {
    try (stream) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      stream.copyTo(out);
      return out.toString(StandardCharsets.UTF_8);
    }
  }

  @Test
  void outputOfAJobThatDoesNotExistIsNotFound() {
    try (LogStream stream = client.jobs().logs("queues/q/jobs/none", LogOptions.newest())) {
      assertThatThrownBy(stream::next).isInstanceOf(NotFoundException.class);
    }
  }

  @Test
  void anInterruptedCallEndsAndKeepsTheInterrupt() {
    scheduler.jobs.put(FakeJobs.job("j", "a", 5));
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> client.jobs().await("queues/q/jobs/j"))
        .isInstanceOf(CallCancelledException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
