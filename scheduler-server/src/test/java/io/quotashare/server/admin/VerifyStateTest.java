package io.quotashare.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.Change;
import io.quotashare.core.model.JobKey;
import io.quotashare.proto.admin.v1.VerifyStateRequest;
import io.quotashare.proto.admin.v1.VerifyStateResponse;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.PolicyQueue;
import io.quotashare.proto.v1.Queue;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.store.MemoryStateStore;
import io.quotashare.server.store.Verification;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VerifyStateTest {
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.create();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    FakeAgent agent = new FakeAgent(server, "n1", 3).join();
    server.answer(server.jobs().submitJob(Policies.submit("runs", "lender", 1).build()));
    agent.run("queues/research/jobs/runs/attempts/1");
    server.answer(server.jobs().submitJob(Policies.submit("waits", "lender", 2).build()));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private VerifyStateResponse verify() {
    return server.answer(server.admin().verifyState(VerifyStateRequest.getDefaultInstance()));
  }

  @Test
  void allIsWell() {
    VerifyStateResponse response = verify();

    assertThat(response.getProblemsList()).isEmpty();
    assertThat(response.getRevision()).isEqualTo(server.readModel().current().revision());
    assertThat(response.getRows()).isGreaterThan(7);
  }

  @Test
  void aQueueThatWasRemovedIsNoProblem() {
    server.answer(
        server
            .shares()
            .applyPolicy(
                ApplyPolicyRequest.newBuilder()
                    .addQueues(
                        PolicyQueue.newBuilder()
                            .setQueue(
                                Queue.newBuilder()
                                    .setName("queues/other")
                                    .putNodeSelector("pool", "other")))
                    .build()));
    server.answer(
        server
            .shares()
            .applyPolicy(Policies.lenderAndBorrower().toBuilder().setPrune(true).build()));

    assertThat(server.readModel().current().queues()).doesNotContainKey("other");
    assertThat(verify().getProblemsList()).isEmpty();
  }

  @Test
  void aRowThatDiffersFromMemoryIsNamed() {
    // Somebody writes behind the scheduler's back, as of the very revision that it believes in.
    server
        .store()
        .tamper(
            change ->
                change instanceof Change.JobPut put && put.job().key().id().equals("waits")
                    ? new Change.JobPut(put.job().change().priority(77).build())
                    : change);

    assertThat(verify().getProblemsList())
        .containsExactly("table jobs, row research/waits: differs from the state in memory");
  }

  @Test
  void aRowThatIsGoneIsNamed() {
    server
        .store()
        .tamper(
            change ->
                change instanceof Change.JobPut put && put.job().key().id().equals("waits")
                    ? null
                    : change);

    assertThat(verify().getProblemsList())
        .anySatisfy(
            p ->
                assertThat(p)
                    .isEqualTo(new JobKey("research", "waits") + " is in memory and has no row"));
  }

  @Test
  void problemsAreBounded() {
    List<String> submitted = new ArrayList<>();
    for (int i = 0; i < Verification.MAX_PROBLEMS + 20; i++) {
      submitted.add("job-" + i);
      server.answer(server.jobs().submitJob(Policies.submit("job-" + i, "lender", 1).build()));
    }
    server
        .store()
        .tamper(
            change ->
                change instanceof Change.JobPut put && submitted.contains(put.job().key().id())
                    ? null
                    : change);

    assertThat(verify().getProblemsList()).hasSize(Verification.MAX_PROBLEMS);
  }

  @Test
  void itIsOfTheSameStoreThatAStartReads() {
    MemoryStateStore store = server.store();
    assertThat(verify().getRows()).isEqualTo(store.load().spliterator().getExactSizeIfKnown());
  }
}
