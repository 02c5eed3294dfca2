package io.quotashare.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.CancelJobsRequest;
import io.quotashare.proto.v1.CheckpointJobRequest;
import io.quotashare.proto.v1.HoldJobRequest;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.JobServiceGrpc.JobServiceFutureStub;
import io.quotashare.proto.v1.PolicyQueue;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.ReleaseJobRequest;
import io.quotashare.proto.v1.RequeueJobRequest;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.SubmitJobsRequest;
import io.quotashare.proto.v1.SubmitJobsResponse;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.FakeClock;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.failpoint.Failpoints;
import io.quotashare.server.store.AuditQuery;
import io.quotashare.server.store.StateStore;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A request id makes every change of jobs happen once, whoever is asked again, and when. */
class JobIdempotencyTest {
  private static final String PARENT = "queues/research";
  private static final String ID = "123e4567-e89b-12d3-a456-426614174000";

  /**
   * A method of the contract.
   *
   * @param action in the audit log
   * @param call makes a call; the flag asks for another body under the same id
   */
  private record Mutation(
      String method,
      String action,
      BiFunction<JobServiceFutureStub, Boolean, ListenableFuture<? extends Message>> call) {
    @Override
    public String toString() {
      return method;
    }
  }

  private static final List<Mutation> MUTATIONS =
      List.of(
          new Mutation(
              "SubmitJob", "SUBMIT_JOB", (jobs, other) -> jobs.submitJob(submission(other))),
          new Mutation(
              "SubmitJobs",
              "SUBMIT_JOB",
              (jobs, other) ->
                  jobs.submitJobs(
                      SubmitJobsRequest.newBuilder()
                          .setParent(PARENT)
                          .addRequests(submission(other))
                          .build())),
          new Mutation(
              "UpdateJobPriority",
              "UPDATE_JOB_PRIORITY",
              (jobs, other) ->
                  jobs.updateJobPriority(
                      UpdateJobPriorityRequest.newBuilder()
                          .setName(name("waits"))
                          .setPriority(other ? 2 : 1)
                          .setRequestId(ID)
                          .build())),
          new Mutation(
              "HoldJob",
              "HOLD_JOB",
              (jobs, other) ->
                  jobs.holdJob(
                      HoldJobRequest.newBuilder()
                          .setName(name(other ? "held" : "waits"))
                          .setRequestId(ID)
                          .build())),
          new Mutation(
              "ReleaseJob",
              "RELEASE_JOB",
              (jobs, other) ->
                  jobs.releaseJob(
                      ReleaseJobRequest.newBuilder()
                          .setName(name(other ? "waits" : "held"))
                          .setRequestId(ID)
                          .build())),
          new Mutation(
              "RequeueJob",
              "REQUEUE_JOB",
              (jobs, other) ->
                  jobs.requeueJob(
                      RequeueJobRequest.newBuilder()
                          .setName(name("runs"))
                          .setHold(other)
                          .setRequestId(ID)
                          .build())),
          new Mutation(
              "CheckpointJob",
              "CHECKPOINT_JOB",
              (jobs, other) ->
                  jobs.checkpointJob(
                      CheckpointJobRequest.newBuilder()
                          .setName(name(other ? "waits" : "runs"))
                          .setRequestId(ID)
                          .build())),
          new Mutation(
              "CancelJob",
              "CANCEL_JOB",
              (jobs, other) ->
                  jobs.cancelJob(
                      CancelJobRequest.newBuilder()
                          .setName(name("waits"))
                          .setReason(other ? "other" : "")
                          .setRequestId(ID)
                          .build())),
          new Mutation(
              "CancelJobs",
              "CANCEL_JOB",
              (jobs, other) ->
                  jobs.cancelJobs(
                      CancelJobsRequest.newBuilder()
                          .setParent(PARENT)
                          .putLabels("only", other ? "others" : "this")
                          .setRequestId(ID)
                          .build())));

  @TempDir Path folder;

  private final FakeClock clock = new FakeClock();
  private TestServer server;
  private FakeAgent agent;

  static Stream<Mutation> mutations() {
    return MUTATIONS.stream();
  }

  @BeforeEach
  void start() {
    open();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    agent = new FakeAgent(server, "n1", 1).join();
    SubmitJobRequest.Builder runs = Policies.submit("runs", "lender", 1);
    runs.getSpecBuilder().setOnDemandCheckpoint(true);
    server.answer(server.jobs().submitJob(runs.build()));
    agent.run(name("runs") + "/attempts/1");
    SubmitJobRequest.Builder waits = Policies.submit("waits", "lender", 1);
    waits.getSpecBuilder().putLabels("only", "this");
    server.answer(server.jobs().submitJob(waits.build()));
    server.answer(server.jobs().submitJob(Policies.submit("held", "lender", 1).build()));
    server.answer(server.jobs().holdJob(HoldJobRequest.newBuilder().setName(name("held")).build()));
  }

  private void open() {
    server = TestServer.onSqlite(folder.resolve("data"), clock, Failpoints.NONE);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @MethodSource("mutations")
  void repeatIsGivenTheFirstAnswerAlsoByTheNextScheduler(Mutation mutation) {
    long before = count(mutation.action());
    Message first = server.answer(mutation.call().apply(server.jobs(), false));
    assertThat(count(mutation.action())).isEqualTo(before + 1);
    long revision = store().lastCommit().revision();

    Message again = server.answer(mutation.call().apply(server.jobs(), false));
    assertThat(again).isEqualTo(first);
    assertThat(store().lastCommit().revision()).as("nothing was done").isEqualTo(revision);
    assertThat(reason(mutation)).isEqualTo("REQUEST_ID_REUSED");

    server.close();
    open();
    assertThat(server.answer(mutation.call().apply(server.jobs(), false))).isEqualTo(first);
    assertThat(reason(mutation)).isEqualTo("REQUEST_ID_REUSED");
    assertThat(count(mutation.action())).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @MethodSource("mutations")
  void repeatIsGivenTheFirstAnswerAlsoWhenItsQueueIsGone(Mutation mutation) {
    Message first = server.answer(mutation.call().apply(server.jobs(), false));

    PolicyQueue other =
        PolicyQueue.newBuilder().setQueue(Queue.newBuilder().setName("queues/other")).build();
    server.answer(
        server
            .shares()
            .applyPolicy(ApplyPolicyRequest.newBuilder().addQueues(other).setPrune(true).build()));
    agent.stopped(name("runs") + "/attempts/1");
    assertThat(server.readModel().current().queues()).containsOnlyKeys("other");

    assertThat(server.answer(mutation.call().apply(server.jobs(), false))).isEqualTo(first);
    assertThat(
            server
                .error(
                    server
                        .jobs()
                        .submitJobs(
                            SubmitJobsRequest.newBuilder()
                                .setParent(PARENT)
                                .addRequests(Policies.submit("new", "lender", 1))
                                .build()))
                .getStatus()
                .getDescription())
        .isEqualTo("queue queues/research does not exist");
  }

  @Test
  void everyRequestWithAnIdIsHere() {
    List<String> withId =
        JobServiceGrpc.getServiceDescriptor().getMethods().stream()
            .filter(method -> hasId(request(method)))
            .map(MethodDescriptor::getBareMethodName)
            .toList();

    assertThat(MUTATIONS).extracting(Mutation::method).containsExactlyInAnyOrderElementsOf(withId);
  }

  private static Descriptor request(MethodDescriptor<?, ?> method) {
    return ((Message)
            ((MethodDescriptor.PrototypeMarshaller<?>) method.getRequestMarshaller())
                .getMessagePrototype())
        .getDescriptorForType();
  }

  private static boolean hasId(Descriptor type) {
    return type.findFieldByName("request_id") != null
        || type.getFields().stream()
            .filter(FieldDescriptor::isRepeated)
            .filter(f -> f.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !f.isMapField())
            .anyMatch(f -> f.getMessageType().findFieldByName("request_id") != null);
  }

  /** How another request under the same id is refused. */
  private String reason(Mutation mutation) {
    try {
      Message answer = server.answer(mutation.call().apply(server.jobs(), true));
      return answer instanceof SubmitJobsResponse batch
          ? batch.getOutcomes(0).getError().getReason()
          : "taken";
    } catch (StatusRuntimeException e) {
      return ErrorInfos.reason(e);
    }
  }

  private long count(String action) {
    return store().audit(AuditQuery.newest(1000)).items().stream()
        .filter(record -> record.event().action().equals(action))
        .count();
  }

  private StateStore store() {
    return server.instance(StateStore.class);
  }

  private static SubmitJobRequest submission(boolean other) {
    // Without an id of its own: a second submission would get another one.
    return Policies.submit("", "lender", other ? 2 : 1).setRequestId(ID).build();
  }

  private static String name(String id) {
    return PARENT + "/jobs/" + id;
  }
}
