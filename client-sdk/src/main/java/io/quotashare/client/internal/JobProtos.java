package io.quotashare.client.internal;

import io.quotashare.client.Attempt;
import io.quotashare.client.BorrowMode;
import io.quotashare.client.Explanation;
import io.quotashare.client.Job;
import io.quotashare.client.JobEvent;
import io.quotashare.client.JobEventType;
import io.quotashare.client.JobSpec;
import io.quotashare.client.JobState;
import io.quotashare.client.NodeDevices;
import io.quotashare.client.PreemptionCause;
import io.quotashare.client.RejectedAlternative;
import io.quotashare.client.ResourceNames;
import io.quotashare.client.Waiting;
import io.quotashare.client.WaitingReason;
import io.quotashare.proto.v1.ExplainJobResponse;
import io.quotashare.proto.v1.WatchJobsResponse;
import java.util.LinkedHashSet;
import java.util.List;

/** Jobs between the wire and the client. Each pair of methods is the inverse of the other. */
public final class JobProtos {
  private static final Enums<JobState, io.quotashare.proto.v1.JobState> STATES =
      new Enums<>(
          JobState.class,
          io.quotashare.proto.v1.JobState.class,
          "JOB_STATE_",
          JobState.UNRECOGNIZED);
  private static final Enums<BorrowMode, io.quotashare.proto.v1.BorrowMode> BORROW =
      new Enums<>(
          BorrowMode.class,
          io.quotashare.proto.v1.BorrowMode.class,
          "BORROW_MODE_",
          BorrowMode.ALLOWED);
  static final Enums<PreemptionCause, io.quotashare.proto.v1.PreemptionCause> CAUSES =
      new Enums<>(
          PreemptionCause.class,
          io.quotashare.proto.v1.PreemptionCause.class,
          "PREEMPTION_CAUSE_",
          PreemptionCause.NONE);
  private static final Enums<WaitingReason, io.quotashare.proto.v1.WaitingReason> REASONS =
      new Enums<>(
          WaitingReason.class,
          io.quotashare.proto.v1.WaitingReason.class,
          "WAITING_REASON_",
          WaitingReason.UNRECOGNIZED);
  private static final Enums<JobEventType, io.quotashare.proto.v1.JobEventType> EVENTS =
      new Enums<>(
          JobEventType.class,
          io.quotashare.proto.v1.JobEventType.class,
          "JOB_EVENT_TYPE_",
          JobEventType.UNRECOGNIZED);

  private JobProtos() {}

  static io.quotashare.proto.v1.JobState toProto(JobState state) {
    return STATES.toProto(state);
  }

  /** The job of a message. */
  public static Job fromProto(io.quotashare.proto.v1.Job job) {
    return new Job(
        job.getName(),
        fromProto(job.getSpec()),
        STATES.fromProto(job.getState()),
        job.hasWaiting() ? fromProto(job.getWaiting()) : null,
        job.getAttemptCount(),
        job.hasLatestAttempt() ? fromProto(job.getLatestAttempt()) : null,
        job.getPreemptionCount(),
        job.hasSubmittedAt() ? Times.instant(job.getSubmittedAt()) : null,
        job.hasEndedAt() ? Times.instant(job.getEndedAt()) : null,
        job.getEndReason(),
        job.getEtag(),
        job.getTotalGpus(),
        job.getHeld());
  }

  /** The message of a job. */
  public static io.quotashare.proto.v1.Job toProto(Job job) {
    io.quotashare.proto.v1.Job.Builder to =
        io.quotashare.proto.v1.Job.newBuilder()
            .setName(job.name())
            .setSpec(toProto(job.spec()))
            .setState(STATES.toProto(job.state()))
            .setAttemptCount(job.attemptCount())
            .setPreemptionCount(job.preemptionCount())
            .setEndReason(job.endReason())
            .setEtag(job.etag())
            .setTotalGpus(job.totalGpus())
            .setHeld(job.held());
    Opt.set(job.waiting(), JobProtos::toProto, to::setWaiting);
    Opt.set(job.latestAttempt(), JobProtos::toProto, to::setLatestAttempt);
    Opt.set(job.submittedAt(), Times::timestamp, to::setSubmittedAt);
    Opt.set(job.endedAt(), Times::timestamp, to::setEndedAt);
    return to.build();
  }

  static JobSpec fromProto(io.quotashare.proto.v1.JobSpec spec) {
    return new JobSpec(
        ResourceNames.queueOf(spec.getShare()),
        ResourceNames.lastId(spec.getShare()),
        spec.getDisplayName(),
        spec.hasNodes() ? spec.getNodes() : null,
        spec.hasGpusPerNode() ? spec.getGpusPerNode() : null,
        spec.hasGpus() ? spec.getGpus() : null,
        spec.getUnit(),
        spec.getPriority(),
        spec.getCommandList(),
        spec.getEnvMap(),
        spec.getWorkingDirectory(),
        spec.getLabelsMap(),
        spec.hasTimeLimit() ? Times.duration(spec.getTimeLimit()) : null,
        spec.hasGrace() ? Times.duration(spec.getGrace()) : null,
        spec.hasLostAfter() ? Times.duration(spec.getLostAfter()) : null,
        spec.getLostNever(),
        spec.hasCheckpointEvery() ? Times.duration(spec.getCheckpointEvery()) : null,
        spec.getOnDemandCheckpoint(),
        spec.getRetries(),
        new LinkedHashSet<>(spec.getRetryExitCodesList()),
        new LinkedHashSet<>(spec.getFailExitCodesList()),
        spec.hasPreemptionRetriesBeforeTermination()
            ? spec.getPreemptionRetriesBeforeTermination()
            : null,
        BORROW.fromProto(spec.getBorrow()),
        spec.getAllowInfeasible());
  }

  /** The message of a description. Priority and retries are always sent: 0 is a value. */
  public static io.quotashare.proto.v1.JobSpec toProto(JobSpec spec) {
    io.quotashare.proto.v1.JobSpec.Builder to =
        io.quotashare.proto.v1.JobSpec.newBuilder()
            .setShare(ResourceNames.share(spec.queue(), spec.share()))
            .setDisplayName(spec.displayName())
            .setUnit(spec.unit())
            .setPriority(spec.priority())
            .addAllCommand(spec.command())
            .putAllEnv(spec.env())
            .setWorkingDirectory(spec.workingDirectory())
            .putAllLabels(spec.labels())
            .setLostNever(spec.lostNever())
            .setOnDemandCheckpoint(spec.onDemandCheckpoint())
            .setRetries(spec.retries())
            .addAllRetryExitCodes(spec.retryExitCodes())
            .addAllFailExitCodes(spec.failExitCodes())
            .setBorrow(BORROW.toProto(spec.borrow()))
            .setAllowInfeasible(spec.allowInfeasible());
    Opt.set(spec.nodes(), to::setNodes);
    Opt.set(spec.gpusPerNode(), to::setGpusPerNode);
    Opt.set(spec.gpus(), to::setGpus);
    Opt.set(spec.timeLimit(), Times::duration, to::setTimeLimit);
    Opt.set(spec.grace(), Times::duration, to::setGrace);
    Opt.set(spec.lostAfter(), Times::duration, to::setLostAfter);
    Opt.set(spec.checkpointEvery(), Times::duration, to::setCheckpointEvery);
    Opt.set(spec.preemptionRetriesBeforeTermination(), to::setPreemptionRetriesBeforeTermination);
    return to.build();
  }

  private static Waiting fromProto(io.quotashare.proto.v1.Waiting waiting) {
    return new Waiting(
        REASONS.fromProto(waiting.getReason()),
        waiting.getDetail(),
        waiting.hasSince() ? Times.instant(waiting.getSince()) : null,
        waiting.getPermanent());
  }

  private static io.quotashare.proto.v1.Waiting toProto(Waiting waiting) {
    io.quotashare.proto.v1.Waiting.Builder to =
        io.quotashare.proto.v1.Waiting.newBuilder()
            .setReason(REASONS.toProto(waiting.reason()))
            .setDetail(waiting.detail())
            .setPermanent(waiting.permanent());
    Opt.set(waiting.since(), Times::timestamp, to::setSince);
    return to.build();
  }

  /** The attempt of a message. */
  public static Attempt fromProto(io.quotashare.proto.v1.Attempt attempt) {
    return new Attempt(
        attempt.getName(),
        STATES.fromProto(attempt.getState()),
        attempt.getPlacementList().stream().map(JobProtos::fromProto).toList(),
        attempt.hasScheduledAt() ? Times.instant(attempt.getScheduledAt()) : null,
        attempt.hasRunningAt() ? Times.instant(attempt.getRunningAt()) : null,
        attempt.hasStopRequestedAt() ? Times.instant(attempt.getStopRequestedAt()) : null,
        attempt.hasStopDeadline() ? Times.instant(attempt.getStopDeadline()) : null,
        attempt.hasEndedAt() ? Times.instant(attempt.getEndedAt()) : null,
        CAUSES.fromProto(attempt.getPreemptionCause()),
        attempt.getBeneficiaryJob(),
        attempt.hasExitCode() ? attempt.getExitCode() : null,
        attempt.getEndReason(),
        attempt.hasStep() ? attempt.getStep() : null,
        attempt.hasCheckpointStep() ? attempt.getCheckpointStep() : null,
        attempt.hasCheckpointStateTime() ? Times.instant(attempt.getCheckpointStateTime()) : null,
        attempt.getCheckpointConfirmed(),
        attempt.getLostDeviceSeconds(),
        attempt.getCheckpointRequestSeq(),
        attempt.getCheckpointAckSeq());
  }

  /** The message of an attempt. */
  public static io.quotashare.proto.v1.Attempt toProto(Attempt attempt) {
    io.quotashare.proto.v1.Attempt.Builder to =
        io.quotashare.proto.v1.Attempt.newBuilder()
            .setName(attempt.name())
            .setState(STATES.toProto(attempt.state()))
            .setPreemptionCause(CAUSES.toProto(attempt.preemptionCause()))
            .setBeneficiaryJob(attempt.beneficiaryJob())
            .setEndReason(attempt.endReason())
            .setCheckpointConfirmed(attempt.checkpointConfirmed())
            .setLostDeviceSeconds(attempt.lostDeviceSeconds())
            .setCheckpointRequestSeq(attempt.checkpointRequestSeq())
            .setCheckpointAckSeq(attempt.checkpointAckSeq())
            .addAllPlacement(attempt.placement().stream().map(JobProtos::toProto).toList());
    Opt.set(attempt.scheduledAt(), Times::timestamp, to::setScheduledAt);
    Opt.set(attempt.runningAt(), Times::timestamp, to::setRunningAt);
    Opt.set(attempt.stopRequestedAt(), Times::timestamp, to::setStopRequestedAt);
    Opt.set(attempt.stopDeadline(), Times::timestamp, to::setStopDeadline);
    Opt.set(attempt.endedAt(), Times::timestamp, to::setEndedAt);
    Opt.set(attempt.exitCode(), to::setExitCode);
    Opt.set(attempt.step(), to::setStep);
    Opt.set(attempt.checkpointStep(), to::setCheckpointStep);
    Opt.set(attempt.checkpointStateTime(), Times::timestamp, to::setCheckpointStateTime);
    return to.build();
  }

  static NodeDevices fromProto(io.quotashare.proto.v1.NodeDevices devices) {
    return new NodeDevices(devices.getNode(), devices.getRank(), devices.getDeviceUuidsList());
  }

  static io.quotashare.proto.v1.NodeDevices toProto(NodeDevices devices) {
    return io.quotashare.proto.v1.NodeDevices.newBuilder()
        .setNode(devices.node())
        .setRank(devices.rank())
        .addAllDeviceUuids(devices.deviceUuids())
        .build();
  }

  static RejectedAlternative fromProto(io.quotashare.proto.v1.RejectedAlternative rejected) {
    return new RejectedAlternative(
        rejected.getJob(),
        rejected.getWhy(),
        rejected.hasCostDeviceSeconds() ? rejected.getCostDeviceSeconds() : null);
  }

  static io.quotashare.proto.v1.RejectedAlternative toProto(RejectedAlternative rejected) {
    io.quotashare.proto.v1.RejectedAlternative.Builder to =
        io.quotashare.proto.v1.RejectedAlternative.newBuilder()
            .setJob(rejected.job())
            .setWhy(rejected.why());
    Opt.set(rejected.costDeviceSeconds(), to::setCostDeviceSeconds);
    return to.build();
  }

  static Explanation fromProto(ExplainJobResponse response) {
    List<RejectedAlternative> rejected =
        response.getRejectedList().stream().map(JobProtos::fromProto).toList();
    return new Explanation(
        fromProto(response.getJob()),
        response.getSummary(),
        response.getDetailsList(),
        rejected,
        response.getStoppingJobsList(),
        response.hasExpectedStart() ? Times.instant(response.getExpectedStart()) : null);
  }

  /** The message of an explanation. */
  public static ExplainJobResponse toProto(Explanation explanation) {
    ExplainJobResponse.Builder to =
        ExplainJobResponse.newBuilder()
            .setJob(toProto(explanation.job()))
            .setSummary(explanation.summary())
            .addAllDetails(explanation.details())
            .addAllRejected(explanation.rejected().stream().map(JobProtos::toProto).toList())
            .addAllStoppingJobs(explanation.stoppingJobs());
    Opt.set(explanation.expectedStart(), Times::timestamp, to::setExpectedStart);
    return to.build();
  }

  /** The event of a message. */
  public static JobEvent fromProto(WatchJobsResponse response) {
    io.quotashare.proto.v1.JobEvent event = response.getEvent();
    return new JobEvent(
        response.getRevision(),
        EVENTS.fromProto(event.getType()),
        event.hasTime() ? Times.instant(event.getTime()) : null,
        fromProto(event.getJob()),
        event.getOwnDevices(),
        event.getBorrowedDevices(),
        event.getDetail());
  }

  /** The message of an event. */
  public static WatchJobsResponse toProto(JobEvent event) {
    io.quotashare.proto.v1.JobEvent.Builder to =
        io.quotashare.proto.v1.JobEvent.newBuilder()
            .setType(EVENTS.toProto(event.type()))
            .setJob(toProto(event.job()))
            .setOwnDevices(event.ownDevices())
            .setBorrowedDevices(event.borrowedDevices())
            .setDetail(event.detail());
    Opt.set(event.time(), Times::timestamp, to::setTime);
    return WatchJobsResponse.newBuilder().setRevision(event.revision()).setEvent(to).build();
  }
}
