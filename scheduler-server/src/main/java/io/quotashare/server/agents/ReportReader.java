package io.quotashare.server.agents;

import io.quotashare.core.PartReport;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Checkpoint;
import io.quotashare.core.model.PartPhase;
import io.quotashare.core.model.Progress;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.server.grpc.Enums;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.grpc.Times;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Reads what an agent says about an attempt. */
final class ReportReader {
  private static final int MAX_DETAIL_LENGTH = 4096;

  private static final Map<AttemptPhase, PartPhase> PHASES =
      new EnumMap<>(
          Map.of(
              AttemptPhase.ATTEMPT_PHASE_STARTING, PartPhase.STARTING,
              AttemptPhase.ATTEMPT_PHASE_RUNNING, PartPhase.RUNNING,
              AttemptPhase.ATTEMPT_PHASE_EXITED, PartPhase.EXITED,
              AttemptPhase.ATTEMPT_PHASE_FREE, PartPhase.FREE,
              AttemptPhase.ATTEMPT_PHASE_START_FAILED, PartPhase.START_FAILED));

  private ReportReader() {}

  /** Records in {@code checks} what is wrong; empty if something is. */
  static Optional<AttemptKey> check(AttemptStatus status, FieldChecks checks) {
    Optional<AttemptKey> key = Names.attempt(status.getAttempt());
    boolean good =
        checks.check(
            key.isPresent(),
            "attempt",
            status.getAttempt(),
            "queues/{queue}/jobs/{job}/attempts/{number}");
    good &= checks.check(status.getRank() >= 0, "rank", status.getRank(), "0 or more");
    good &=
        checks.check(
            status.getJobSequence() >= 0, "job_sequence", status.getJobSequence(), "0 or more");
    good &= checks.check(status.getVersion() >= 1, "version", status.getVersion(), "1 or more");
    good &=
        checks.check(
            PHASES.containsKey(status.getPhase()),
            "phase",
            status.getPhaseValue(),
            "a constant of AttemptPhase");
    good &=
        checks.check(
            status.getQuarantinedUuidsCount() <= InventoryReader.MAX_DEVICES,
            "quarantined_uuids",
            status.getQuarantinedUuidsCount() + " entries",
            "at most " + InventoryReader.MAX_DEVICES);
    return good ? key : Optional.empty();
  }

  /**
   * Reads a report that {@link #check} found good. Times are the agent's; those that lie before the
   * attempt or in the future are moved to the nearest instant that is possible.
   *
   * @param earliestMillis when the attempt was placed
   * @param nowMillis time of the scheduler
   */
  static PartReport read(
      AttemptStatus status, AttemptKey key, long earliestMillis, long nowMillis) {
    String detail = status.getDetail();
    return new PartReport(
        key,
        status.getRank(),
        status.getVersion(),
        phase(status),
        status.hasExitCode() ? OptionalInt.of(status.getExitCode()) : OptionalInt.empty(),
        status.hasExitSignal() ? OptionalInt.of(status.getExitSignal()) : OptionalInt.empty(),
        exitedBeforeStop(status),
        detail.length() <= MAX_DETAIL_LENGTH ? detail : detail.substring(0, MAX_DETAIL_LENGTH),
        status.hasProgress() && status.getRank() == 0
            ? progress(status.getProgress(), new Clamp(earliestMillis, nowMillis))
            : Progress.NONE,
        Set.copyOf(status.getQuarantinedUuidsList()));
  }

  /** A start that failed by the fault of the node is none of the job. */
  private static PartPhase phase(AttemptStatus status) {
    PartPhase phase = Enums.of(PHASES, status.getPhase());
    return phase == PartPhase.START_FAILED && status.getNodeFault() ? PartPhase.NOT_STARTED : phase;
  }

  private static boolean exitedBeforeStop(AttemptStatus status) {
    return status.hasExitedAt()
        && (!status.hasStopRequestedAt()
            || Times.millis(status.getExitedAt()) < Times.millis(status.getStopRequestedAt()));
  }

  private static Progress progress(io.quotashare.proto.agent.v1.Progress progress, Clamp clamp) {
    Checkpoint checkpoint = null;
    if (progress.hasCheckpointStateTime()) {
      long stateAt = clamp.at(Times.millis(progress.getCheckpointStateTime()));
      checkpoint =
          new Checkpoint(
              progress.hasCheckpointStep()
                  ? OptionalLong.of(progress.getCheckpointStep())
                  : OptionalLong.empty(),
              stateAt,
              progress.hasCheckpointDurableTime()
                  ? Math.max(stateAt, clamp.at(Times.millis(progress.getCheckpointDurableTime())))
                  : stateAt);
    }
    return new Progress(
        progress.hasStep() ? OptionalLong.of(progress.getStep()) : OptionalLong.empty(),
        progress.hasProductiveSince()
            ? OptionalLong.of(clamp.at(Times.millis(progress.getProductiveSince())))
            : OptionalLong.empty(),
        checkpoint,
        Math.max(0, progress.getAckSeq()),
        progress.getDone());
  }

  private record Clamp(long from, long to) {
    long at(long millis) {
      return Math.max(from, Math.min(to, millis));
    }
  }
}
