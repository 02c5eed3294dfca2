package io.quotashare.server.jobs;

import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Outcome;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Stop;
import io.quotashare.core.model.StopCause;
import io.quotashare.proto.v1.Attempt;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.NodeDevices;
import io.quotashare.proto.v1.PreemptionCause;
import io.quotashare.server.grpc.Enums;
import io.quotashare.server.grpc.Times;
import java.util.Map;

/** Attempts of the core in the words of the contract. */
public final class AttemptWriter {
  private static final Map<Outcome, JobState> OUTCOMES =
      Map.of(
          Outcome.SUCCEEDED, JobState.JOB_STATE_SUCCEEDED,
          Outcome.FAILED, JobState.JOB_STATE_FAILED,
          Outcome.CANCELLED, JobState.JOB_STATE_CANCELLED,
          Outcome.PREEMPTED, JobState.JOB_STATE_RUNNABLE,
          Outcome.NODE_LOST, JobState.JOB_STATE_RUNNABLE,
          Outcome.NOT_STARTED, JobState.JOB_STATE_RUNNABLE);

  private static final Map<StopCause, PreemptionCause> CAUSES =
      Map.of(
          StopCause.RECLAIM, PreemptionCause.PREEMPTION_CAUSE_RECLAIM,
          StopCause.IN_SHARE, PreemptionCause.PREEMPTION_CAUSE_IN_SHARE,
          StopCause.CAPACITY_LOWERED, PreemptionCause.PREEMPTION_CAUSE_CAPACITY_LOWERED,
          StopCause.NODE_DRAIN, PreemptionCause.PREEMPTION_CAUSE_NODE_DRAIN,
          StopCause.REQUESTED, PreemptionCause.PREEMPTION_CAUSE_REQUESTED);

  private AttemptWriter() {}

  /** Why an attempt was preempted; unspecified for a stop that is no preemption. */
  public static PreemptionCause cause(StopCause cause) {
    return CAUSES.getOrDefault(cause, PreemptionCause.PREEMPTION_CAUSE_UNSPECIFIED);
  }

  /** An attempt. */
  public static Attempt attempt(io.quotashare.core.model.Attempt attempt) {
    Attempt.Builder result =
        Attempt.newBuilder()
            .setName(attempt.key().toString())
            .setState(state(attempt))
            .setScheduledAt(Times.timestamp(attempt.scheduledAtMillis()))
            .setEndReason(attempt.endReason())
            .setLostDeviceSeconds(attempt.lostDeviceMillis() / 1000.0)
            .setCheckpointRequestSeq(attempt.newestSaveRequest())
            .setCheckpointAckSeq(attempt.progress().ackSeq());
    attempt.parts().forEach(part -> result.addPlacement(placement(part)));
    attempt.runningAtMillis().ifPresent(at -> result.setRunningAt(Times.timestamp(at)));
    attempt.endedAtMillis().ifPresent(at -> result.setEndedAt(Times.timestamp(at)));
    attempt.exitCode().ifPresent(result::setExitCode);
    attempt.progress().step().ifPresent(result::setStep);
    if (attempt.progress().checkpoint() != null) {
      attempt.progress().checkpoint().step().ifPresent(result::setCheckpointStep);
      result.setCheckpointStateTime(
          Times.timestamp(attempt.progress().checkpoint().stateAtMillis()));
    }
    if (attempt.stop() != null) {
      addStop(attempt.stop(), result);
    }
    return result.build();
  }

  private static void addStop(Stop stop, Attempt.Builder result) {
    result
        .setStopRequestedAt(Times.timestamp(stop.requestedAtMillis()))
        .setStopDeadline(Times.timestamp(stop.deadlineMillis()))
        .setPreemptionCause(cause(stop.cause()))
        .setBeneficiaryJob(stop.beneficiary() == null ? "" : stop.beneficiary().id())
        .setCheckpointConfirmed(stop.savedAtMillis().isPresent());
  }

  private static JobState state(io.quotashare.core.model.Attempt attempt) {
    if (attempt.state() != AttemptState.ENDED) {
      return JobWriter.state(attempt.state().shownAs());
    }
    Outcome outcome = attempt.outcome();
    if (outcome == null) {
      throw new IllegalStateException("an ended attempt without an outcome: " + attempt.key());
    }
    return Enums.of(OUTCOMES, outcome);
  }

  private static NodeDevices placement(Part part) {
    return NodeDevices.newBuilder()
        .setNode(part.node())
        .setRank(part.rank())
        .addAllDeviceUuids(part.devices())
        .build();
  }
}
