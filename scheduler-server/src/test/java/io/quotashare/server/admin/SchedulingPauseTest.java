package io.quotashare.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.proto.admin.v1.CordonNodeRequest;
import io.quotashare.proto.admin.v1.GetSchedulerStatusRequest;
import io.quotashare.proto.admin.v1.GetSchedulerStatusResponse;
import io.quotashare.proto.admin.v1.PauseSchedulingRequest;
import io.quotashare.proto.admin.v1.ResumeSchedulingRequest;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.WaitingReason;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.store.AuditEvent;
import io.quotashare.server.store.AuditQuery;
import io.quotashare.server.store.AuditRecord;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pausing, resuming, and what makes every call of an operator idempotent and audited once. */
class SchedulingPauseTest {
  private static final String ID = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
  private static final String OTHER_ID = "7f9619ff-8b86-4d01-b42d-00cf4fc964ff";

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

  private void pause(String reason, String requestId) {
    server.answer(
        server
            .admin()
            .pauseScheduling(
                PauseSchedulingRequest.newBuilder()
                    .setReason(reason)
                    .setRequestId(requestId)
                    .build()));
  }

  private void resume(String requestId) {
    server.answer(
        server
            .admin()
            .resumeScheduling(
                ResumeSchedulingRequest.newBuilder().setRequestId(requestId).build()));
  }

  private GetSchedulerStatusResponse status() {
    return server.answer(
        server.admin().getSchedulerStatus(GetSchedulerStatusRequest.getDefaultInstance()));
  }

  private Job job(String id) {
    return server
        .answer(
            server
                .jobs()
                .getJob(GetJobRequest.newBuilder().setName("queues/research/jobs/" + id).build()))
        .getJob();
  }

  private List<AuditEvent> audit(String action) {
    return server.store().audit(AuditQuery.newest(100)).items().stream()
        .map(AuditRecord::event)
        .filter(event -> event.action().equals(action))
        .toList();
  }

  @Test
  void aPauseSurvivesARestartAndShowsItsReason() {
    pause("the switch is replaced", "");
    server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 1).build()));
    assertThat(agent.starts()).isEmpty();
    assertThat(job("a").getWaiting().getReason())
        .isEqualTo(WaitingReason.WAITING_REASON_SCHEDULING_PAUSED);
    assertThat(job("a").getWaiting().getDetail()).contains("the switch is replaced");

    server = server.restart();
    agent = new FakeAgent(server, "n1", 3).join();
    server.advance(1_000);

    assertThat(status().getPaused()).isTrue();
    assertThat(status().getPauseReason()).isEqualTo("the switch is replaced");
    assertThat(agent.starts()).isEmpty();
    assertThat(job("a").getWaiting().getReason())
        .isEqualTo(WaitingReason.WAITING_REASON_SCHEDULING_PAUSED);

    resume("");
    assertThat(status().getPaused()).isFalse();
    assertThat(status().getPauseReason()).isEmpty();
    assertThat(job("a").getState()).isEqualTo(JobState.JOB_STATE_SCHEDULED);
    assertThat(agent.starts()).hasSize(1);
  }

  @Test
  void aRepeatGetsTheFirstAnswerAlsoAfterARestart() {
    pause("why", ID);
    resume(OTHER_ID);
    // Late repeat of the first call: it must not pause again.
    pause("why", ID);
    assertThat(status().getPaused()).isFalse();

    server = server.restart();
    pause("why", ID);
    assertThat(status().getPaused()).isFalse();

    assertThat(audit("PAUSE_SCHEDULING"))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.requestId()).isEqualTo(ID);
              assertThat(event.resource()).isEqualTo("scheduler");
              assertThat(event.before()).isEqualTo("not paused");
              assertThat(event.after()).isEqualTo("paused: why");
            });
    assertThat(audit("RESUME_SCHEDULING")).hasSize(1);
  }

  @Test
  void aRequestIdOfAnotherRequestIsRefused() {
    pause("why", ID);

    var error =
        server.error(
            server
                .admin()
                .cordonNode(
                    CordonNodeRequest.newBuilder().setName("nodes/n1").setRequestId(ID).build()));

    assertThat(ErrorInfos.reason(error)).isEqualTo("REQUEST_ID_REUSED");
    assertThat(audit("CORDON_NODE")).isEmpty();
  }

  @Test
  void aRepeatedOrderLeavesOneAuditEvent() {
    for (int i = 0; i < 2; i++) {
      server.answer(
          server
              .admin()
              .cordonNode(
                  CordonNodeRequest.newBuilder().setName("nodes/n1").setRequestId(ID).build()));
    }

    assertThat(audit("CORDON_NODE"))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.before()).isEqualTo("OPEN, ALIVE");
              assertThat(event.after()).isEqualTo("CORDONED");
              assertThat(event.requestId()).isEqualTo(ID);
            });
  }

  @Test
  void drainNowIsRefusedWhilePaused() {
    pause("", "");

    var error =
        server.error(
            server
                .shares()
                .applyPolicy(Policies.lenderAndBorrower().toBuilder().setDrainNow(true).build()));

    assertThat(ErrorInfos.reason(error)).isEqualTo("SCHEDULING_PAUSED");
  }

  @Test
  void aReasonOfTwoLinesIsRefused() {
    var error =
        server.error(
            server
                .admin()
                .pauseScheduling(PauseSchedulingRequest.newBuilder().setReason("a\nb").build()));

    assertThat(error.getStatus().getDescription()).contains("reason: a\\u000ab");
    assertThat(status().getPaused()).isFalse();
  }
}
