package io.quotashare.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import io.quotashare.proto.agent.v1.CheckpointAttempt;
import io.quotashare.proto.agent.v1.StopReason;
import io.quotashare.proto.v1.CheckpointJobRequest;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.RequeueJobRequest;
import io.quotashare.server.FakeAgent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** CheckpointJob, from the call to the agents and back. */
class CheckpointJobTest extends GangTest {
  @Test
  void everyNodeOfTheGangIsAskedAndTheConfirmationComesBack() {
    submitSaving("a", 2);
    run("a");
    List<String> told = watch();

    Job asked = server.answer(server.jobs().checkpointJob(checkpoint("a"))).getJob();
    assertThat(asked.getState()).isEqualTo(JobState.JOB_STATE_RUNNING);
    assertThat(asked.getLatestAttempt().getCheckpointRequestSeq()).isEqualTo(1);
    assertThat(asked.getLatestAttempt().getCheckpointAckSeq()).isZero();
    CheckpointAttempt command =
        CheckpointAttempt.newBuilder()
            .setAttempt(attempt("a", 1))
            .setRequestSeq(1)
            .setReason(StopReason.STOP_REASON_ADMIN)
            .build();
    assertThat(n1.checkpoints()).containsExactly(command);
    assertThat(n2.checkpoints()).containsExactly(command);
    acknowledge("a", 1, 1);

    assertThat(job("a").getLatestAttempt().getCheckpointAckSeq()).isEqualTo(1);
    assertThat(job("a").getLatestAttempt().getCheckpointConfirmed()).isFalse();
    assertThat(told).contains("UPDATED a asked to save", "CHECKPOINTED a ");
    assertThat(audit(1))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.action()).isEqualTo("CHECKPOINT_JOB");
              assertThat(event.after()).isEqualTo("request 1");
            });
  }

  @Test
  void requestIsSentAgainUntilItIsConfirmed() {
    submitSaving("a", 1);
    run("a");
    FakeAgent agent = agentOf("a");
    server.answer(server.jobs().checkpointJob(checkpoint("a")));

    advance(6_000);
    assertThat(agent.checkpoints()).hasSize(2);
    restart(running("a"));
    assertThat(agent.checkpoints()).isNotEmpty().allMatch(c -> c.getRequestSeq() == 1);
    acknowledge("a", 1, 1);
    agent.received().clear();
    advance(20_000);

    assertThat(agent.checkpoints()).isEmpty();
  }

  @Test
  void oneRequestAtATimeIsUnconfirmed() {
    submitSaving("a", 1);
    run("a");
    server.answer(server.jobs().checkpointJob(checkpoint("a")));

    StatusRuntimeException error = server.error(server.jobs().checkpointJob(checkpoint("a")));
    assertThat(reason(error)).isEqualTo("FAILED_PRECONDITION CHECKPOINT_OUTSTANDING");
    assertThat(error.getStatus().getDescription()).contains("request 1 to save");
    acknowledge("a", 1, 1);

    Job again = server.answer(server.jobs().checkpointJob(checkpoint("a"))).getJob();
    assertThat(again.getLatestAttempt().getCheckpointRequestSeq()).isEqualTo(2);
  }

  @Test
  void stopTakesOverFromTheRequest() {
    submitSaving("a", 1);
    run("a");
    server.answer(server.jobs().checkpointJob(checkpoint("a")));
    server.answer(server.jobs().requeueJob(requeue("a").build()));

    assertThat(agentOf("a").stops()).singleElement().matches(stop -> stop.getRequestSeq() == 2);
    assertThat(job("a").getLatestAttempt().getCheckpointRequestSeq()).isEqualTo(2);
    assertThat(reason(server.error(server.jobs().checkpointJob(checkpoint("a")))))
        .isEqualTo("FAILED_PRECONDITION JOB_NOT_RUNNING");
  }

  @Test
  void jobThatDoesNotTakeRequestsSaysSo() {
    submit("a", "lender", 1);
    assertThat(reason(server.error(server.jobs().checkpointJob(checkpoint("a")))))
        .isEqualTo("FAILED_PRECONDITION JOB_NOT_RUNNING");
    run("a");

    StatusRuntimeException error = server.error(server.jobs().checkpointJob(checkpoint("a")));

    assertThat(reason(error)).isEqualTo("FAILED_PRECONDITION NO_ON_DEMAND_CHECKPOINT");
    assertThat(error.getStatus().getDescription()).contains("on_demand_checkpoint");
    assertThat(job("a").getLatestAttempt().getCheckpointRequestSeq()).isZero();
  }

  private static CheckpointJobRequest checkpoint(String id) {
    return CheckpointJobRequest.newBuilder().setName(name(id)).build();
  }

  private static RequeueJobRequest.Builder requeue(String id) {
    return RequeueJobRequest.newBuilder().setName(name(id));
  }
}
