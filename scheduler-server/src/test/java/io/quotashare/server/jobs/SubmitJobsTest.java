package io.quotashare.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.SubmitJobError;
import io.quotashare.proto.v1.SubmitJobOutcome;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.SubmitJobsRequest;
import io.quotashare.proto.v1.SubmitJobsResponse;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.store.AuditQuery;
import io.quotashare.server.store.MemoryStateStore;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SubmitJobsTest {
  private static final String PARENT = "queues/research";

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
  void everyEntryHasItsOwnOutcomeInTheWordsOfSubmitJob() {
    SubmitJobRequest good = entry("a").build();
    SubmitJobRequest wrong = entry("B").setJobId("Not An Id").build();
    SubmitJobRequest stranger = entry("c").setSpec(Policies.spec("nobody", 1)).build();
    SubmitJobRequest tooLarge = entry("d").setSpec(Policies.spec("lender", 3)).build();
    SubmitJobRequest twice = entry("a").build();
    SubmitJobRequest noId = entry("").build();

    SubmitJobsResponse response = submit(good, wrong, stranger, tooLarge, twice, noId);

    assertThat(response.getOutcomes(0).getJob())
        .isEqualTo(job("a"))
        .matches(job -> job.getState() == JobState.JOB_STATE_SCHEDULED);
    assertThat(response.getOutcomes(5).getJob().getName()).startsWith(PARENT + "/jobs/j-");
    List<SubmitJobRequest> refused = List.of(wrong, stranger, tooLarge, twice);
    for (int i = 0; i < refused.size(); i++) {
      StatusRuntimeException alone =
          server.error(
              server.jobs().submitJob(refused.get(i).toBuilder().setParent(PARENT).build()));
      assertThat(response.getOutcomes(i + 1).getError())
          .isEqualTo(
              SubmitJobError.newBuilder()
                  .setCode(alone.getStatus().getCode().name())
                  .setReason(ErrorInfos.reason(alone))
                  .setMessage(alone.getStatus().getDescription())
                  .putAllMetadata(ErrorInfos.info(alone).getMetadataMap())
                  .build());
    }
    assertThat(refused.stream().map(this::reasonAlone))
        .containsExactly(
            "INVALID_ARGUMENT", "SHARE_NOT_FOUND", "SHARE_LIMIT_EXCEEDED", "JOB_EXISTS");
  }

  private String reasonAlone(SubmitJobRequest request) {
    return ErrorInfos.reason(
        server.error(server.jobs().submitJob(request.toBuilder().setParent(PARENT).build())));
  }

  @Test
  void parentOfAnEntryIsThatOfTheBatch() {
    SubmitJobsResponse response =
        submit(entry("a").setParent(PARENT).build(), entry("b").setParent("queues/other").build());

    assertThat(response.getOutcomes(0).hasJob()).isTrue();
    assertThat(response.getOutcomes(1).getError().getMessage())
        .isEqualTo("parent: queues/other (expected: queues/research as the batch, or empty)");
  }

  @Test
  void aThousandEntriesAreOneCommit() {
    long before = server.store().lastCommit().revision();

    SubmitJobsResponse response =
        submit(IntStream.range(0, 1000).mapToObj(i -> entry("j" + i).build()).toList());

    assertThat(response.getOutcomesList()).hasSize(1000).allMatch(SubmitJobOutcome::hasJob);
    assertThat(server.store().lastCommit().revision()).isEqualTo(before + 1);
    assertThat(server.store().audit(AuditQuery.newest(1000)).items())
        .allMatch(record -> record.event().action().equals("SUBMIT_JOB"));
  }

  @Test
  void repeatedBatchIsGivenTheFirstOutcomes() {
    SubmitJobRequest a = entry("").setRequestId(UUID.randomUUID().toString()).build();
    SubmitJobRequest b = entry("b").setRequestId(UUID.randomUUID().toString()).build();

    SubmitJobsResponse first = submit(a, b, a);
    server = server.restart();
    SubmitJobsResponse again = submit(a, b, a);

    assertThat(again).isEqualTo(first);
    assertThat(first.getOutcomes(2)).isEqualTo(first.getOutcomes(0));
    assertThat(server.readModel().current().open().size()).isEqualTo(2);
    assertThat(
            server
                .answer(server.jobs().submitJob(b.toBuilder().setParent(PARENT).build()))
                .getJob())
        .as("alone it is the same request")
        .isEqualTo(first.getOutcomes(1).getJob());
    assertThat(submit(b.toBuilder().setJobId("c").build()).getOutcomes(0).getError().getReason())
        .isEqualTo("REQUEST_ID_REUSED");
  }

  @Test
  void checkedEntrySubmitsNothing() {
    SubmitJobsResponse response =
        submit(entry("a").setValidateOnly(true).build(), entry("b").build());

    assertThat(response.getOutcomes(0).getJob().getName()).isEqualTo(PARENT + "/jobs/a");
    assertThat(server.readModel().current().open().size()).isEqualTo(1);
  }

  @Test
  void batchThatCannotBeDurableFailsAsAWhole() {
    server.store().failNextCommit(MemoryStateStore.Fault.BUSY);

    StatusRuntimeException error =
        server.error(
            server.jobs().submitJobs(request(List.of(entry("a").build(), entry("b").build()))));

    assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(server.readModel().current().open().size()).isZero();
    server.advance(2_000);
    assertThat(submit(entry("a").build(), entry("b").build()).getOutcomesList())
        .allMatch(SubmitJobOutcome::hasJob);
  }

  @Test
  void emptyAndTooLargeBatchesAreRefused() {
    for (int size : new int[] {0, 1001}) {
      StatusRuntimeException error =
          server.error(
              server
                  .jobs()
                  .submitJobs(
                      request(IntStream.range(0, size).mapToObj(i -> entry("").build()).toList())));
      assertThat(ErrorInfos.fields(error)).containsExactly("requests");
      assertThat(error.getStatus().getDescription())
          .isEqualTo("requests: " + size + " entries (expected: 1 to 1000)");
    }
    assertThat(server.readModel().current().open().size()).isZero();
  }

  private SubmitJobsResponse submit(SubmitJobRequest... entries) {
    return submit(List.of(entries));
  }

  private SubmitJobsResponse submit(List<SubmitJobRequest> entries) {
    return server.answer(server.jobs().submitJobs(request(entries)));
  }

  private static SubmitJobsRequest request(List<SubmitJobRequest> entries) {
    return SubmitJobsRequest.newBuilder().setParent(PARENT).addAllRequests(entries).build();
  }

  private static SubmitJobRequest.Builder entry(String id) {
    return Policies.submit(id, "lender", 1).clearParent();
  }

  private Job job(String id) {
    return server
        .answer(
            server
                .jobs()
                .getJob(GetJobRequest.newBuilder().setName(PARENT + "/jobs/" + id).build()))
        .getJob();
  }
}
