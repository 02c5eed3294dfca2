package io.quotashare.server.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.SubmitJobResponse;
import io.quotashare.proto.v1.WaitingReason;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The scheduler dies at a step of a job's way and another one takes over (reliability S1-S10). */
class RecoveryTest {
  private static final String A1 = "queues/research/jobs/a/attempts/1";

  private TestServer server;
  private FakeAgent agent;

  @BeforeEach
  void start() {
    server = TestServer.create();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    agent = new FakeAgent(server, "n1", 3).join();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void submissionThatWasDurableIsAnsweredByTheNextLeaderAsTheFirstTime() {
    SubmitJobRequest request =
        Policies.submit("a", "lender", 2)
            .setRequestId("6f6b1d1e-8f5e-4a53-9f0a-0d4b8e9b6a11")
            .build();
    SubmitJobResponse first = server.answer(server.jobs().submitJob(request));

    restart();
    agent.register();
    SubmitJobResponse again = server.answer(server.jobs().submitJob(request));

    assertThat(again).isEqualTo(first);
    assertThat(server.readModel().current().jobs().size()).isEqualTo(1);
  }

  @Test
  void startThatWasDecidedAndNotSentIsSentByTheNextLeader() {
    agent.disconnect();
    submit("a", 2);
    assertThat(agent.starts()).isEmpty();

    restart();
    agent.join();

    assertThat(agent.starts())
        .singleElement()
        .satisfies(start -> assertThat(start.getAttempt()).isEqualTo(A1));
  }

  @Test
  void runningAttemptIsAdopted() {
    submit("a", 2);
    agent.run(A1);

    restart();
    agent.register(agent.status(A1, AttemptPhase.ATTEMPT_PHASE_RUNNING).build());
    agent.connect();
    server.settle();

    assertThat(job("a").getState()).isEqualTo(JobState.JOB_STATE_RUNNING);
    assertThat(job("a").getAttemptCount()).isEqualTo(1);
  }

  @Test
  void attemptThatItsAgentDoesNotKnowAnyMoreIsOver() {
    submit("a", 2);
    agent.run(A1);

    restart();
    agent.join();

    assertThat(job("a").getAttemptCount()).isEqualTo(2);
    assertThat(agent.starts())
        .last()
        .extracting(start -> start.getAttempt())
        .isEqualTo("queues/research/jobs/a/attempts/2");
  }

  @Test
  void stopGoesOnWithTheSameDeadline() {
    submitAs("loan", "borrower", 3);
    String loan = "queues/research/jobs/loan/attempts/1";
    agent.run(loan);
    submit("own", 2);
    server.advance(20_000);

    restart();
    agent.register(agent.status(loan, AttemptPhase.ATTEMPT_PHASE_RUNNING).build());
    agent.connect();

    assertThat(agent.stops())
        .last()
        .satisfies(
            stop -> {
              assertThat(stop.getAttempt()).isEqualTo(loan);
              assertThat(stop.getTimeLeft().getSeconds()).isBetween(39L, 40L);
            });
    agent.stopped(loan);
    assertThat(agent.starts())
        .last()
        .extracting(start -> start.getAttempt())
        .isEqualTo("queues/research/jobs/own/attempts/1");
  }

  @Test
  void decisionsWaitForTheAgents() {
    new FakeAgent(server, "n2", 1).join();
    restart();
    submit("a", 2);

    assertThat(job("a").getWaiting().getReason())
        .isEqualTo(WaitingReason.WAITING_REASON_RECOVERING);
    agent.join();
    assertThat(agent.starts()).isEmpty();

    new FakeAgent(server, "n2", 1).join();

    assertThat(agent.starts()).hasSize(1);
  }

  @Test
  void decisionsDoNotWaitForEver() {
    new FakeAgent(server, "n2", 1).join();
    restart();
    agent.join();
    submit("a", 2);
    assertThat(agent.starts()).isEmpty();

    for (int i = 0; i < 11; i++) {
      server.advance(1_000);
      agent.heartbeat();
    }

    assertThat(agent.starts()).hasSize(1);
  }

  private void restart() {
    agent.disconnect();
    server = server.restart();
    agent = agent.on(server);
  }

  private void submit(String id, int gpus) {
    submitAs(id, "lender", gpus);
  }

  private void submitAs(String id, String share, int gpus) {
    server.answer(server.jobs().submitJob(Policies.submit(id, share, gpus).build()));
  }

  private Job job(String id) {
    return server
        .answer(
            server
                .jobs()
                .getJob(GetJobRequest.newBuilder().setName("queues/research/jobs/" + id).build()))
        .getJob();
  }
}
