package io.quotashare.server.jobs;

import io.quotashare.core.model.JobSpec.LostAfter;
import io.quotashare.core.model.RejectedAlternative;
import io.quotashare.core.model.RetryOn;
import io.quotashare.proto.v1.BorrowMode;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobSpec;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.Waiting;
import io.quotashare.proto.v1.WaitingReason;
import io.quotashare.server.grpc.Enums;
import io.quotashare.server.grpc.Times;
import io.quotashare.server.view.JobView;
import java.util.Map;

/** Jobs of the core in the words of the contract. */
public final class JobWriter {
  private static final Map<io.quotashare.core.model.JobState, JobState> STATES =
      Enums.toProto(io.quotashare.core.model.JobState.class, JobState.class, "JOB_STATE_");
  private static final Map<io.quotashare.core.model.WaitingReason, WaitingReason> REASONS =
      Enums.toProto(
          io.quotashare.core.model.WaitingReason.class, WaitingReason.class, "WAITING_REASON_");

  private JobWriter() {}

  /** A job with its newest attempt. */
  public static Job job(JobView view) {
    io.quotashare.core.model.Job job = view.job();
    Job.Builder result =
        Job.newBuilder()
            .setName(job.key().toString())
            .setSpec(spec(job))
            .setState(state(job.state()))
            .setAttemptCount(job.attempts())
            .setPreemptionCount(job.preemptions())
            .setSubmittedAt(Times.timestamp(job.submittedAtMillis()))
            .setEndReason(job.endReason())
            .setEtag(etag(job))
            .setTotalGpus(job.gpus())
            .setHeld(job.held());
    if (job.waiting() != null) {
      result.setWaiting(waiting(job.waiting()));
    }
    if (view.attempt() != null) {
      result.setLatestAttempt(AttemptWriter.attempt(view.attempt()));
    }
    job.endedAtMillis().ifPresent(at -> result.setEndedAt(Times.timestamp(at)));
    return result.build();
  }

  /** Changes with every change of the job. */
  static String etag(io.quotashare.core.model.Job job) {
    return Long.toHexString(job.revision());
  }

  static JobState state(io.quotashare.core.model.JobState state) {
    return Enums.of(STATES, state);
  }

  /** A reason of the core in the words of the contract. */
  public static WaitingReason reason(io.quotashare.core.model.WaitingReason reason) {
    return Enums.of(REASONS, reason);
  }

  /** An alternative that was not chosen. */
  public static io.quotashare.proto.v1.RejectedAlternative rejected(RejectedAlternative rejected) {
    io.quotashare.proto.v1.RejectedAlternative.Builder result =
        io.quotashare.proto.v1.RejectedAlternative.newBuilder()
            .setJob(rejected.job().id())
            .setWhy(rejected.why());
    rejected.costDeviceMillis().ifPresent(cost -> result.setCostDeviceSeconds(cost / 1000.0));
    return result.build();
  }

  private static Waiting waiting(io.quotashare.core.model.Waiting waiting) {
    return Waiting.newBuilder()
        .setReason(reason(waiting.reason()))
        .setDetail(waiting.detail())
        .setSince(Times.timestamp(waiting.sinceMillis()))
        .setPermanent(waiting.reason().isPermanent())
        .build();
  }

  private static JobSpec spec(io.quotashare.core.model.Job job) {
    io.quotashare.core.model.JobSpec spec = job.spec();
    JobSpec.Builder result =
        JobSpec.newBuilder()
            .setShare(job.share().toString())
            .setDisplayName(spec.displayName())
            .setNodes(spec.shape().nodes())
            .setGpusPerNode(spec.shape().gpusPerNode())
            .setUnit(spec.unit())
            .setPriority(job.priority())
            .addAllCommand(spec.launch().command())
            .putAllEnv(spec.launch().env())
            .setWorkingDirectory(spec.launch().workingDirectory())
            .putAllLabels(spec.labels())
            .setGrace(Times.duration(spec.graceMillis()))
            .setOnDemandCheckpoint(spec.onDemandCheckpoint())
            .setRetries(spec.retries())
            .setBorrow(
                spec.borrow() == io.quotashare.core.model.BorrowMode.NEVER
                    ? BorrowMode.BORROW_MODE_NEVER
                    : BorrowMode.BORROW_MODE_ALLOWED)
            .setAllowInfeasible(spec.allowInfeasible());
    spec.timeLimitMillis().ifPresent(limit -> result.setTimeLimit(Times.duration(limit)));
    spec.checkpointEveryMillis()
        .ifPresent(every -> result.setCheckpointEvery(Times.duration(every)));
    spec.preemptionRetries().ifPresent(result::setPreemptionRetriesBeforeTermination);
    if (spec.retryOn() instanceof RetryOn.Only only) {
      result.addAllRetryExitCodes(only.exitCodes());
    }
    if (spec.retryOn() instanceof RetryOn.Except except) {
      result.addAllFailExitCodes(except.exitCodes());
    }
    if (spec.lostAfter() instanceof LostAfter.After after) {
      result.setLostAfter(Times.duration(after.millis()));
    }
    return result.setLostNever(spec.lostAfter() instanceof LostAfter.Never).build();
  }
}
