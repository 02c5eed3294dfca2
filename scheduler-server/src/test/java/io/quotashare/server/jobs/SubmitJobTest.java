package io.quotashare.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.v1.BorrowMode;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobSpec;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.SubmitJobResponse;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.store.AuditQuery;
import java.util.Collections;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SubmitJobTest {
  private static final String ID = "0b7e8d3e-8b7c-4f0e-9a52-5a8b8a3c1d00";

  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.create();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    new FakeAgent(server, "n1", 3).join();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void defaultsAndShapeAreResolved() {
    Job job = submit(Policies.submit("", "lender", 2)).getJob();

    assertThat(job.getName()).matches("queues/research/jobs/j-[0-9a-z]{8}");
    assertThat(job.getSpec().getNodes()).isEqualTo(1);
    assertThat(job.getSpec().getGpusPerNode()).isEqualTo(2);
    assertThat(job.getSpec().hasGpus()).isFalse();
    assertThat(job.getSpec().getUnit()).isEqualTo("H100");
    assertThat(job.getSpec().getDisplayName()).isEqualTo(job.getName().substring(21));
    assertThat(job.getSpec().getGrace().getSeconds()).isEqualTo(60);
    assertThat(job.getSpec().getPriority()).isZero();
    assertThat(job.getSpec().hasPriority()).isTrue();
    assertThat(job.getSpec().hasPreemptionRetriesBeforeTermination()).isFalse();
    assertThat(job.getTotalGpus()).isEqualTo(2);
    assertThat(job.getEtag()).isNotEmpty();
  }

  @ParameterizedTest(name = "{0} #{index}")
  @MethodSource("badRequests")
  void badRequestNamesTheFieldAndLeavesNothing(
      String field, Consumer<SubmitJobRequest.Builder> change) {
    SubmitJobRequest.Builder request = Policies.submit("a", "lender", 1);
    change.accept(request);

    StatusRuntimeException error = server.error(server.jobs().submitJob(request.build()));

    assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(ErrorInfos.reason(error)).isEqualTo("INVALID_ARGUMENT");
    assertThat(ErrorInfos.fields(error)).contains(field);
    assertThat(error.getStatus().getDescription()).contains(field).contains("expected");
    assertThat(server.readModel().current().jobs().size()).isZero();
  }

  static Stream<Arguments> badRequests() {
    return Stream.of(badNames(), badShapes(), badLaunches(), badTimes()).flatMap(s -> s);
  }

  private static Stream<Arguments> badNames() {
    return Stream.of(
        bad("parent", r -> r.setParent("")),
        bad("parent", r -> r.setParent("research")),
        bad("parent", r -> r.setParent("queues/-")),
        bad("parent", r -> r.setParent("queues/a/shares/b")),
        bad("job_id", r -> r.setJobId("Upper")),
        bad("job_id", r -> r.setJobId("-a")),
        bad("job_id", r -> r.setJobId("../x")),
        bad("job_id", r -> r.setJobId("a".repeat(64))),
        bad("request_id", r -> r.setRequestId("not a uuid")),
        bad("spec", r -> r.clearSpec()),
        badSpec("share", s -> s.clearShare()),
        badSpec("share", s -> s.setShare("lender")),
        badSpec("share", s -> s.setShare("queues/other/shares/lender")),
        badSpec("display_name", s -> s.setDisplayName("x".repeat(129))),
        badSpec("display_name", s -> s.setDisplayName("two\nlines")),
        badSpec("labels[a b]", s -> s.putLabels("a b", "")),
        badSpec("labels[a]", s -> s.putLabels("a", "x".repeat(129))));
  }

  private static Stream<Arguments> badShapes() {
    return Stream.of(
        badSpec("gpus", s -> s.clearGpus()),
        badSpec("gpus", s -> s.setGpus(0)),
        badSpec("gpus", s -> s.setGpus(-1)),
        badSpec("gpus", s -> s.setNodes(1)),
        badSpec("gpus", s -> s.setGpusPerNode(1)),
        badSpec("gpus_per_node", s -> s.clearGpus().setNodes(2)),
        badSpec("gpus_per_node", s -> s.clearGpus().setGpusPerNode(0)),
        badSpec("gpus_per_node", s -> s.clearGpus().setGpusPerNode(10_001)),
        badSpec("nodes", s -> s.clearGpus().setNodes(0).setGpusPerNode(1)),
        badSpec("nodes", s -> s.clearGpus().setNodes(4097).setGpusPerNode(1)),
        badSpec("unit", s -> s.setUnit("H 100")),
        badSpec("priority", s -> s.setPriority(-1)),
        badSpec("priority", s -> s.setPriority(10_000)),
        badSpec("borrow", s -> s.setBorrowValue(9)));
  }

  private static Stream<Arguments> badLaunches() {
    return Stream.of(
        badSpec("command", s -> s.clearCommand()),
        badSpec("command[0]", s -> s.setCommand(0, " ")),
        badSpec("command[1]", s -> s.addCommand("a\0b")),
        badSpec("command[1]", s -> s.addCommand("x".repeat(128 * 1024))),
        badSpec("command", s -> s.addAllCommand(Collections.nCopies(5_000, "x"))),
        badSpec("command", s -> s.addAllCommand(Collections.nCopies(6, "x".repeat(100_000)))),
        badSpec("env[9A]", s -> s.putEnv("9A", "")),
        badSpec("env[A-B]", s -> s.putEnv("A-B", "")),
        badSpec("env[empty]", s -> s.putEnv("", "")),
        badSpec("env[LD_PRELOAD]", s -> s.putEnv("LD_PRELOAD", "/tmp/x.so")),
        badSpec("env[QS_JOB_ID]", s -> s.putEnv("QS_JOB_ID", "1")),
        badSpec("env[CUDA_VISIBLE_DEVICES]", s -> s.putEnv("CUDA_VISIBLE_DEVICES", "0")),
        badSpec("env[NVIDIA_VISIBLE_DEVICES]", s -> s.putEnv("NVIDIA_VISIBLE_DEVICES", "all")),
        badSpec("env[A]", s -> s.putEnv("A", "x\0")),
        badSpec(
            "env",
            s -> {
              for (int i = 0; i < 257; i++) {
                s.putEnv("K" + i, "v");
              }
            }),
        badSpec("working_directory", s -> s.setWorkingDirectory("relative")),
        badSpec("working_directory", s -> s.setWorkingDirectory("/a\0b")));
  }

  private static Stream<Arguments> badTimes() {
    return Stream.of(
        badSpec("time_limit", s -> s.setTimeLimit(seconds(0))),
        badSpec("time_limit", s -> s.setTimeLimit(seconds(-5))),
        badSpec("time_limit", s -> s.setTimeLimit(seconds(Long.MAX_VALUE))),
        badSpec("time_limit", s -> s.setTimeLimit(Duration.newBuilder().setNanos(1))),
        badSpec("grace", s -> s.setGrace(seconds(-1))),
        badSpec("grace", s -> s.setGrace(seconds(100_000))),
        badSpec("lost_after", s -> s.setLostAfter(Duration.newBuilder().setNanos(1_000_000))),
        badSpec("lost_after", s -> s.setLostAfter(seconds(60)).setLostNever(true)),
        badSpec("checkpoint_every", s -> s.setCheckpointEvery(seconds(0))),
        badSpec("retries", s -> s.setRetries(11)),
        badSpec("retries", s -> s.setRetries(-1)),
        badSpec(
            "preemption_retries_before_termination",
            s -> s.setPreemptionRetriesBeforeTermination(-1)));
  }

  private static Arguments bad(String field, Consumer<SubmitJobRequest.Builder> change) {
    return Arguments.of(field, change);
  }

  private static Arguments badSpec(String field, Consumer<JobSpec.Builder> change) {
    return bad("spec." + field, r -> change.accept(r.getSpecBuilder()));
  }

  private static Duration seconds(long seconds) {
    return Duration.newBuilder().setSeconds(seconds).build();
  }

  @Test
  void everythingThatIsWrongIsToldAtOnce() {
    SubmitJobRequest.Builder request = Policies.submit("A", "lender", 1);
    request.getSpecBuilder().setPriority(10_000).clearCommand();

    StatusRuntimeException error = server.error(server.jobs().submitJob(request.build()));

    assertThat(ErrorInfos.fields(error))
        .containsExactlyInAnyOrder("job_id", "spec.priority", "spec.command");
  }

  @Test
  void largestValuesAreAccepted() {
    SubmitJobRequest.Builder request = Policies.submit("a".repeat(63), "lender", 1);
    request
        .getSpecBuilder()
        .setPriority(9_999)
        .setRetries(10)
        .setPreemptionRetriesBeforeTermination(0)
        .setBorrow(BorrowMode.BORROW_MODE_NEVER)
        .setWorkingDirectory("/work/dir")
        .setGrace(seconds(0))
        .putEnv("_A9", "")
        .putLabels("team/name.x", "");

    Job job = submit(request).getJob();

    assertThat(job.getSpec().getPriority()).isEqualTo(9_999);
    assertThat(job.getSpec().getPreemptionRetriesBeforeTermination()).isZero();
    assertThat(job.getSpec().hasPreemptionRetriesBeforeTermination()).isTrue();
  }

  @Test
  void unknownShareAndQueueAreNotFound() {
    assertThat(code(Policies.submit("a", "nobody", 1))).isEqualTo(Status.Code.NOT_FOUND);
    SubmitJobRequest.Builder elsewhere =
        Policies.submit("a", "lender", 1)
            .setParent("queues/nowhere")
            .setSpec(Policies.spec("lender", 1).setShare("queues/nowhere/shares/lender"));
    assertThat(code(elsewhere)).isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void jobThatNothingCouldRunIsRejectedWithTheNumber() {
    StatusRuntimeException error =
        server.error(server.jobs().submitJob(Policies.submit("a", "lender", 3).build()));

    assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(ErrorInfos.reason(error)).isEqualTo("SHARE_LIMIT_EXCEEDED");
    assertThat(error.getStatus().getDescription()).contains("2");
  }

  @Test
  void infeasibleJobIsAcceptedWhereItIsAllowed() {
    SubmitJobRequest.Builder request = Policies.submit("a", "lender", 3);
    request.getSpecBuilder().setAllowInfeasible(true);

    Job job = submit(request).getJob();

    assertThat(job.getState()).isEqualTo(JobState.JOB_STATE_RUNNABLE);
    assertThat(job.getWaiting().getPermanent()).isTrue();
  }

  @Test
  void idIsTakenOnce() {
    submit(Policies.submit("a", "lender", 1));

    assertThat(code(Policies.submit("a", "lender", 1))).isEqualTo(Status.Code.ALREADY_EXISTS);
  }

  @Test
  void dryRunSubmitsNothing() {
    Job job = submit(Policies.submit("a", "lender", 1).setValidateOnly(true)).getJob();

    assertThat(job.getState()).isEqualTo(JobState.JOB_STATE_SUBMITTED);
    assertThat(job.getSpec().getUnit()).isEqualTo("H100");
    assertThat(server.readModel().current().jobs().size()).isZero();
    assertThat(code(Policies.submit("a", "lender", 3).setValidateOnly(true)))
        .isEqualTo(Status.Code.FAILED_PRECONDITION);
  }

  @Test
  void repeatedRequestIsGivenTheFirstAnswer() {
    SubmitJobRequest request = Policies.submit("", "lender", 1).setRequestId(ID).build();
    SubmitJobResponse first = server.answer(server.jobs().submitJob(request));
    server.advance(5_000);

    SubmitJobResponse second = server.answer(server.jobs().submitJob(request));

    assertThat(second).isEqualTo(first);
    assertThat(server.readModel().current().jobs().size()).isEqualTo(1);
  }

  @Test
  void repeatInTheSameBatchIsGivenTheSameAnswer() {
    SubmitJobRequest request = Policies.submit("", "lender", 1).setRequestId(ID).build();
    var first = server.jobs().submitJob(request);
    var second = server.jobs().submitJob(request);

    assertThat(server.answer(second)).isEqualTo(server.answer(first));
    assertThat(server.readModel().current().jobs().size()).isEqualTo(1);
  }

  @Test
  void sameRequestIdForAnotherRequestIsRefused() {
    submit(Policies.submit("a", "lender", 1).setRequestId(ID));

    StatusRuntimeException error =
        server.error(
            server.jobs().submitJob(Policies.submit("b", "lender", 1).setRequestId(ID).build()));

    assertThat(ErrorInfos.reason(error)).isEqualTo("REQUEST_ID_REUSED");
  }

  @Test
  void refusedRequestMayBeTriedAgain() {
    SubmitJobRequest request = Policies.submit("a", "lender", 3).setRequestId(ID).build();
    server.error(server.jobs().submitJob(request));

    StatusRuntimeException again = server.error(server.jobs().submitJob(request));

    assertThat(ErrorInfos.reason(again)).isEqualTo("SHARE_LIMIT_EXCEEDED");
  }

  @Test
  void submissionIsAuditedWithoutItsEnvironment() {
    SubmitJobRequest.Builder request = Policies.submit("a", "lender", 1);
    request.getSpecBuilder().putEnv("TOKEN", "canary");
    submit(request);

    assertThat(server.store().audit(AuditQuery.newest(10)).items())
        .filteredOn(record -> record.event().action().equals("SUBMIT_JOB"))
        .singleElement()
        .satisfies(
            record -> {
              assertThat(record.event().resource()).isEqualTo("queues/research/jobs/a");
              assertThat(record.toString()).doesNotContain("canary");
            });
  }

  private SubmitJobResponse submit(SubmitJobRequest.Builder request) {
    return server.answer(server.jobs().submitJob(request.build()));
  }

  private Status.Code code(SubmitJobRequest.Builder request) {
    return server.error(server.jobs().submitJob(request.build())).getStatus().getCode();
  }
}
