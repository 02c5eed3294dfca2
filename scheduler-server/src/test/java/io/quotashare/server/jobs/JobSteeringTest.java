package io.quotashare.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.StopReason;
import io.quotashare.proto.v1.Attempt;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.HoldJobRequest;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.ListPreemptionsRequest;
import io.quotashare.proto.v1.PreemptionCause;
import io.quotashare.proto.v1.ReleaseJobRequest;
import io.quotashare.proto.v1.RequeueJobRequest;
import io.quotashare.proto.v1.WaitingReason;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.store.AuditEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** HoldJob, ReleaseJob and RequeueJob, from the call to the agents and back. */
class JobSteeringTest extends GangTest {
  // Hold and release

  @Test
  void heldJobIsPassedOverUntilItIsReleased() {
    submit("a", "lender", 1);
    submit("b", "lender", 1);
    submit("c", "lender", 1);
    submit("d", "lender", 1);
    List<String> told = watch();

    Job held = server.answer(server.jobs().holdJob(hold("c").build())).getJob();
    assertThat(held.getHeld()).isTrue();
    assertThat(held.getWaiting().getReason()).isEqualTo(WaitingReason.WAITING_REASON_HELD);
    run("a");
    finish("a");
    assertThat(states("c", "d")).containsExactly("RUNNABLE", "SCHEDULED");

    run("b");
    finish("b");
    Job released = server.answer(server.jobs().releaseJob(release("c").build())).getJob();
    assertThat(released.getHeld()).isFalse();
    assertThat(released.getState()).isEqualTo(JobState.JOB_STATE_SCHEDULED);
    assertThat(told).contains("UPDATED c held", "UPDATED c released");
    assertThat(audit(2))
        .extracting(e -> e.action() + ": " + e.before() + " -> " + e.after())
        .containsExactly("RELEASE_JOB: held -> not held", "HOLD_JOB: not held -> held");
  }

  /** Its second node never heard of it, so its agent does not know which rank it would have had. */
  @Test
  void gangWhoseStartReachedNoNodeIsStoppedOnBoth() {
    submit("a", "lender", 2);
    server.answer(
        server.jobs().cancelJob(CancelJobRequest.newBuilder().setName(name("a")).build()));
    assertThat(states("a")).containsExactly("STOPPING");

    for (FakeAgent agent : List.of(n1, n2)) {
      AttemptStatus.Builder refused =
          agent.status(attempt("a", 1), AttemptPhase.ATTEMPT_PHASE_START_FAILED);
      assertThat(agent.acks()).isEmpty();
      agent.report(refused.setDetail("it is not known here"));
      assertThat(agent.acks()).isNotEmpty();
    }

    assertThat(states("a")).containsExactly("CANCELLED");
    submit("b", "lender", 2);
    assertThat(states("b")).containsExactly("SCHEDULED");
  }

  @Test
  void holdOutlivesTheScheduler() {
    submit("a", "lender", 2);
    submit("b", "lender", 1);
    server.answer(server.jobs().holdJob(hold("b").build()));

    restart();

    assertThat(job("b").getHeld()).isTrue();
    assertThat(job("b").getWaiting().getReason()).isEqualTo(WaitingReason.WAITING_REASON_HELD);
  }

  @Test
  void onlyWhatWaitsCanBeHeld() {
    submit("a", "lender", 1);

    StatusRuntimeException error = server.error(server.jobs().holdJob(hold("a").build()));

    assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(ErrorInfos.reason(error)).isEqualTo("JOB_NOT_WAITING");
    assertThat(ErrorInfos.info(error).getMetadataMap())
        .containsEntry("name", name("a"))
        .containsEntry("state", "SCHEDULED");
    assertThat(error.getStatus().getDescription()).contains("it is SCHEDULED");
  }

  @Test
  void releasingWhatIsNotHeldDoesNothing() {
    submit("a", "lender", 1);
    Job before = job("a");

    assertThat(server.answer(server.jobs().releaseJob(release("a").build())).getJob())
        .isEqualTo(before);
  }

  @Test
  void etagIsCheckedBeforeAnythingHappens() {
    submit("a", "lender", 2);
    submit("b", "lender", 2);

    for (var call :
        List.of(
            server.jobs().holdJob(hold("b").setEtag("old").build()),
            server.jobs().releaseJob(release("b").setEtag("old").build()),
            server.jobs().requeueJob(requeue("a").setEtag("old").build()))) {
      StatusRuntimeException error = server.error(call);
      assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.ABORTED);
      assertThat(ErrorInfos.reason(error)).isEqualTo("ETAG_MISMATCH");
    }
    String etag = job("b").getEtag();
    Job held = server.answer(server.jobs().holdJob(hold("b").setEtag(etag).build())).getJob();
    assertThat(held.getEtag()).isNotEqualTo(etag);
  }

  // Requeue

  @Test
  void requeuedJobIsAskedToSaveThenStopsAndStartsAgain() {
    submitSaving("a", 1);
    run("a");

    Job requeued =
        server
            .answer(server.jobs().requeueJob(requeue("a").setReason("new data").build()))
            .getJob();
    assertThat(requeued.getState()).isEqualTo(JobState.JOB_STATE_PREEMPTING);
    assertThat(agentOf("a").stops())
        .singleElement()
        .satisfies(
            stop -> {
              assertThat(stop.getReason()).isEqualTo(StopReason.STOP_REASON_ADMIN);
              assertThat(stop.getSaveFirst()).isTrue();
              assertThat(stop.getRequestSeq()).isEqualTo(1);
            });
    acknowledge("a", 1, 1);
    agentOf("a").stopped(attempt("a", 1));

    assertThat(job("a").getState()).isEqualTo(JobState.JOB_STATE_SCHEDULED);
    assertThat(job("a").getAttemptCount()).isEqualTo(2);
    assertThat(job("a").getPreemptionCount()).isZero();
    Attempt first = attempts("a").get(0);
    assertThat(first.getPreemptionCause()).isEqualTo(PreemptionCause.PREEMPTION_CAUSE_REQUESTED);
    assertThat(first.getCheckpointConfirmed()).isTrue();
    assertThat(first.getEndReason()).isEqualTo("requeued on request: new data");
    assertThat(
            server
                .answer(
                    server
                        .queues()
                        .listPreemptions(
                            ListPreemptionsRequest.newBuilder().setParent(PARENT).build()))
                .getPreemptionsList())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.getCause()).isEqualTo(PreemptionCause.PREEMPTION_CAUSE_REQUESTED);
              assertThat(p.hasSavedAt()).isTrue();
              assertThat(p.hasFreedAt()).isTrue();
            });
    assertThat(audit(5)).extracting(AuditEvent::action).contains("REQUEUE_JOB", "PREEMPT");
  }

  @Test
  void requeuedAndHeldJobStaysDown() {
    submit("a", "lender", 1);
    run("a");

    server.answer(server.jobs().requeueJob(requeue("a").setHold(true).build()));
    agentOf("a").stopped(attempt("a", 1));
    assertThat(job("a").getWaiting().getReason()).isEqualTo(WaitingReason.WAITING_REASON_HELD);
    server.answer(server.jobs().releaseJob(release("a").build()));

    assertThat(job("a").getState()).isEqualTo(JobState.JOB_STATE_SCHEDULED);
  }

  @Test
  void requeueOutlivesTheScheduler() {
    submit("a", "lender", 1);
    run("a");
    server.answer(server.jobs().requeueJob(requeue("a").setHold(true).build()));

    restart(running("a"));

    assertThat(job("a").getState()).isEqualTo(JobState.JOB_STATE_PREEMPTING);
    assertThat(agentOf("a").stops()).isNotEmpty();
    agentOf("a").stopped(attempt("a", 1));
    assertThat(job("a").getWaiting().getReason()).isEqualTo(WaitingReason.WAITING_REASON_HELD);
  }

  @Test
  void requeueNeedsAnAttemptThatIsNotStopping() {
    submit("a", "lender", 2);
    run("a");
    submit("b", "lender", 1);

    assertThat(reason(server.error(server.jobs().requeueJob(requeue("b").build()))))
        .isEqualTo("FAILED_PRECONDITION JOB_WAITING");
    server.answer(server.jobs().requeueJob(requeue("a").build()));
    assertThat(reason(server.error(server.jobs().requeueJob(requeue("a").build()))))
        .isEqualTo("FAILED_PRECONDITION JOB_STOPPING");
  }

  private static HoldJobRequest.Builder hold(String id) {
    return HoldJobRequest.newBuilder().setName(name(id));
  }

  private static ReleaseJobRequest.Builder release(String id) {
    return ReleaseJobRequest.newBuilder().setName(name(id));
  }

  private static RequeueJobRequest.Builder requeue(String id) {
    return RequeueJobRequest.newBuilder().setName(name(id));
  }
}
