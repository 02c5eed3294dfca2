package io.quotashare.server.agents;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Stop;
import io.quotashare.core.model.StopCause;
import io.quotashare.proto.agent.v1.CheckpointAttempt;
import io.quotashare.proto.agent.v1.StartAttempt;
import io.quotashare.proto.agent.v1.StopAttempt;
import io.quotashare.proto.agent.v1.StopReason;
import io.quotashare.server.grpc.Enums;
import io.quotashare.server.grpc.Times;
import java.util.Map;

/** Commands of the core in the words of the contract. */
final class CommandWriter {
  private static final Map<StopCause, StopReason> REASONS =
      Map.of(
          StopCause.RECLAIM, StopReason.STOP_REASON_RECLAIM,
          StopCause.IN_SHARE, StopReason.STOP_REASON_IN_SHARE,
          StopCause.CAPACITY_LOWERED, StopReason.STOP_REASON_RECLAIM,
          StopCause.NODE_DRAIN, StopReason.STOP_REASON_DRAIN,
          StopCause.REQUESTED, StopReason.STOP_REASON_ADMIN,
          StopCause.CANCEL, StopReason.STOP_REASON_CANCEL,
          StopCause.TIME_LIMIT, StopReason.STOP_REASON_TIME_LIMIT,
          StopCause.GANG_FAILED, StopReason.STOP_REASON_GANG_FAILED,
          StopCause.NODE_LOST, StopReason.STOP_REASON_GANG_FAILED);

  private CommandWriter() {}

  /** Where the nodes of a gang meet. */
  record Meeting(String address, int port) {}

  static StartAttempt start(Job job, Attempt attempt, Part part, Meeting at, LeasePolicy leases) {
    JobSpec spec = job.spec();
    StartAttempt.Builder start =
        StartAttempt.newBuilder()
            .setAttempt(attempt.key().toString())
            .setShare(spec.share())
            .addAllDeviceUuids(part.devices())
            .setRank(part.rank())
            .setNodes(spec.shape().nodes())
            .setGpusPerNode(spec.shape().gpusPerNode())
            .addAllCommand(spec.launch().command())
            .putAllEnv(spec.launch().env())
            .setWorkingDirectory(spec.launch().workingDirectory())
            .setGrace(Times.duration(spec.graceMillis()))
            .setOnDemandCheckpoint(spec.onDemandCheckpoint())
            .setMasterAddress(at.address())
            .setMasterPort(at.port())
            .setResume(attempt.resumes())
            .setJobSequence(job.sequence());
    leases
        .lostAfterMillis(spec.lostAfter())
        .ifPresent(millis -> start.setLostAfter(Times.duration(millis)));
    spec.checkpointEveryMillis()
        .ifPresent(millis -> start.setCheckpointEvery(Times.duration(millis)));
    return start.build();
  }

  /**
   * @param nowMillis when it is sent: the agent counts the time that is left from the receipt
   */
  static StopAttempt stop(Job job, Attempt attempt, long nowMillis) {
    Stop stop = requireNonNull(attempt.stop(), "stop is null");
    return StopAttempt.newBuilder()
        .setAttempt(attempt.key().toString())
        .setRequestSeq(stop.requestSeq())
        .setReason(Enums.of(REASONS, stop.cause()))
        .setTimeLeft(Times.duration(Math.max(0, stop.deadlineMillis() - nowMillis)))
        .setSaveFirst(stop.saveFirst())
        .setJobSequence(job.sequence())
        .build();
  }

  static CheckpointAttempt checkpoint(Attempt attempt) {
    return CheckpointAttempt.newBuilder()
        .setAttempt(attempt.key().toString())
        .setRequestSeq(attempt.newestSaveRequest())
        .setReason(StopReason.STOP_REASON_ADMIN)
        .build();
  }
}
